import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { statSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { race, sleep, TIMED_OUT } from "../waiting.ts";
import { windowsCommand } from "./windows-command.ts";

export interface ChildOptions {
  /** The program, by name or path. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the program; see `hostEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder that it starts in. @default that of this process */
  readonly cwd?: string | undefined;
  /** Ends the program and its children at once. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** How a program ended. `error` is set if it could not be started. */
export interface ChildExit {
  /** The exit code; null if a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it; null if it ended by itself. */
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly error?: NodeJS.ErrnoException;
}

/** How long each step of stopping may take, in ms. */
export interface StopWaits {
  /** After stdin was closed. @default 2_000 */
  readonly closeMs?: number;
  /** After the polite signal. @default 2_000 */
  readonly terminateMs?: number;
}

export interface Child {
  /** The id of its process; undefined if it could not be started. */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** What it writes for people. */
  readonly stderr: Readable;
  /** Resolves when the program has ended, or could not be started. It never rejects. */
  readonly exited: Promise<ChildExit>;
  /** How the program ended, as soon as it has. */
  exit(): ChildExit | undefined;
  /** Closes stdin, then ends the program and all its children, politely first. It happens once, with the first waits. */
  stop(waits?: StopWaits): Promise<ChildExit>;
}

const IS_WINDOWS = process.platform === "win32";

/** Starts a program without a shell. On POSIX it leads a process group of its own, so that its children end with it. */
export function startChild({ command, args, env, cwd = process.cwd(), signal }: ChildOptions): Child {
  const child = launch(command, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  let ended: ChildExit | undefined;
  const exited = new Promise<ChildExit>((resolve) => {
    const finish = (exit: ChildExit): void => {
      ended ??= exit;
      resolve(ended);
    };
    // `error` also comes for a failed kill: then the program runs on.
    child.on("error", (error) => {
      if (child.pid === undefined) finish({ code: null, signal: null, error });
    });
    child.on("exit", (code, name) => finish({ code, signal: name }));
  });
  // A program that ends early breaks the pipes; that it ended is already known.
  for (const pipe of child.stdio) pipe?.on("error", () => {});
  const abort = (): void => signalTree(child, "SIGKILL");
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort, { once: true });
  const endsWithin = async (ms: number): Promise<boolean> => (await race(exited, { ms, sleep })) !== TIMED_OUT;
  const stop = async ({ closeMs = 2_000, terminateMs = 2_000 }: StopWaits): Promise<ChildExit> => {
    child.stdin?.end();
    if (!(await endsWithin(closeMs))) {
      signalTree(child, "SIGTERM");
      if (!(await endsWithin(terminateMs))) signalTree(child, "SIGKILL");
    }
    const exit = await exited;
    await endOrphans(child);
    signal?.removeEventListener("abort", abort);
    // Programs that left the group may still hold the pipes.
    for (const pipe of [child.stdout, child.stderr]) pipe?.destroy();
    return exit;
  };
  let stopping: Promise<ChildExit> | undefined;
  return {
    pid: child.pid,
    stdin: child.stdin as Writable,
    stdout: child.stdout as Readable,
    stderr: child.stderr as Readable,
    exited,
    exit: () => ended,
    stop(waits = {}) {
      stopping ??= stop(waits);
      return stopping;
    },
  };
}

function launch(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  if (!IS_WINDOWS) return spawn(command, args, { ...options, detached: true });
  const { env = {}, cwd } = options;
  const found = windowsCommand(command, args, { env, cwd: String(cwd), isFile });
  return spawn(found.file, found.args, { ...options, windowsVerbatimArguments: found.verbatim });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Signals a program and its children. Windows knows only the hard end. */
function signalTree(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  if (!IS_WINDOWS) {
    signalGroup(child.pid, signal);
    return;
  }
  spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore", windowsHide: true }).on("error", () =>
    child.kill(),
  );
}

/** Whether the group was there. */
function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ends what is left of the group after its leader: the number of a group is not given away while it has members. */
async function endOrphans({ pid }: ChildProcess): Promise<void> {
  if (IS_WINDOWS || pid === undefined) return;
  if (!signalGroup(pid, "SIGTERM")) return;
  for (let tries = 0; tries < 20; tries += 1) {
    await sleep(25);
    if (!signalGroup(pid, 0)) return;
  }
  signalGroup(pid, "SIGKILL");
}

/** The variables that hosts hand on to the servers they start. Others may hold secrets that a server has no need of. */
const HANDED_ON: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  // Windows
  "PATHEXT",
  "COMSPEC",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMFILES",
  "PROGRAMDATA",
  "USERNAME",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "PROCESSOR_ARCHITECTURE",
  "TEMP",
  "TMP",
]);

/** The environment of a program, as a host would set it: few variables of this process, and those that were given. */
export function hostEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment: Record<string, string> = {};
  // Windows writes names in any case.
  for (const [name, value] of Object.entries(own))
    if (value !== undefined && HANDED_ON.has(name.toUpperCase())) environment[name] = value;
  return { ...environment, ...given };
}

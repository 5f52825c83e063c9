import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { race, sleep, TIMED_OUT } from "@recourse/faults/internal-do-not-use";

/** A program to start. */
export interface ChildOptions {
  readonly command: readonly [string, ...string[]];
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder that it starts in. @default that of this process */
  readonly cwd?: string | undefined;
}

/** How a program ended. `error` is set where it could not be started. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: Error;
}

/** How long each step of stopping may take, in ms. */
export interface StopWaits {
  /** After its input was closed. @default 2_000 */
  readonly closeMs?: number;
  /** After the polite signal. @default 2_000 */
  readonly terminateMs?: number;
}

/** A running program with pipes. */
export interface Child {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the program has ended, or could not be started. It never rejects. */
  readonly exited: Promise<Exit>;
  /** Closes its input, then ends it and all its children, politely first. */
  stop(waits?: StopWaits): Promise<Exit>;
}

/** Starts a program without a shell. It leads a process group of its own, so that its children end with it. */
export function startChild({ command: [file, ...args], env, cwd }: ChildOptions): Child {
  const child = spawn(file, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"], detached: true, windowsHide: true });
  const exited = new Promise<Exit>((resolve) => {
    // `error` also comes for a signal that could not be sent; then the program runs on.
    child.on("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
    child.on("exit", (code, signal) => resolve({ code, signal }));
  });
  // A program that ends early breaks its pipes; that it ended is known by then.
  for (const pipe of child.stdio) pipe?.on("error", () => {});
  const { pid, stdin, stdout, stderr } = child;
  const endsWithin = async (ms: number): Promise<boolean> => (await race(exited, { ms, sleep })) !== TIMED_OUT;
  const stop = async ({ closeMs = 2_000, terminateMs = 2_000 }: StopWaits): Promise<Exit> => {
    stdin.end();
    if (!(await endsWithin(closeMs))) {
      signalGroup(pid, "SIGTERM");
      if (!(await endsWithin(terminateMs))) signalGroup(pid, "SIGKILL");
    }
    const exit = await exited;
    await endOrphans(pid);
    // Programs that left the group may still hold the pipes.
    stdout.destroy();
    stderr.destroy();
    return exit;
  };
  let stopping: Promise<Exit> | undefined;
  return {
    pid,
    stdin,
    stdout,
    stderr,
    exited,
    stop(waits = {}) {
      stopping ??= stop(waits);
      return stopping;
    },
  };
}

/** Whether the group was there. */
function signalGroup(pid: number | undefined, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ends what is left of a group after its leader: the number of a group is not given away while it has members. */
async function endOrphans(pid: number | undefined): Promise<void> {
  if (!signalGroup(pid, "SIGTERM")) return;
  for (let tries = 0; tries < 20; tries += 1) {
    await sleep(25);
    if (!signalGroup(pid, 0)) return;
  }
  signalGroup(pid, "SIGKILL");
}

// Runs the image confined as in production: by podman, or where that cannot run, its unpacked root under unshare and setpriv.
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** How one container is run. */
export interface RunOptions {
  /** Mounted at /etc/recourse, read-only. */
  readonly config: string;
  /** Instead of the command of the image. */
  readonly args?: readonly string[];
  /** Instead of the user of the image, as `uid:gid`. */
  readonly user?: string;
}

/** A container that runs. Its network is that of the machine. */
export interface Running {
  /** Process 1 of the container, as the machine counts. */
  readonly pid: number;
  signal(name: "SIGTERM" | "SIGHUP" | "SIGKILL"): void;
  /** How it ended; it rejects if it has not after this time. */
  ended(withinMs: number): Promise<{ readonly code: number; readonly ms: number }>;
  /** Everything that it wrote so far. */
  output(): Promise<string>;
  /** The most memory that it had, and what it may have. Undefined if nothing counts it. */
  memory(): { readonly peakBytes: number; readonly limitBytes: number } | undefined;
  /** Ends it if it still runs, and removes what is left of it. */
  remove(): void;
}

/** What runs containers. */
export interface Runtime {
  readonly name: "podman" | "unshare and setpriv";
  start(options: RunOptions): Promise<Running>;
  /** Runs a command to its end. */
  run(options: RunOptions): Promise<{ readonly code: number; readonly output: string }>;
}

const MAX_OUTPUT = 64 * 1_024 * 1_024;

/** How a program ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the machine, at most this long. */
export function program(name: string, args: readonly string[], timeoutMs = 60_000): Ended {
  const { status, stdout, stderr, error } = spawnSync(name, [...args], {
    encoding: "utf8",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT,
  });
  return { code: status ?? -1, stdout: stdout ?? "", stderr: stderr || (error?.message ?? "") };
}

/** The same, while servers of this process go on. */
function programBeside(name: string, args: readonly string[], timeoutMs = 60_000): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: MAX_OUTPUT } as const;
    const child = execFile(name, args, options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** The label of containers of this check, with the process that started them: what a crashed run left is found by it. */
const LABEL = "dev.recourse.check.image";
/** The limits of production. The lowered ulimits are for machines that may not raise them. */
const CONFINED = [
  "--runtime=runc",
  "run",
  `--label=${LABEL}=${process.pid}`,
  "--network=host",
  "--ulimit=nofile=1024",
  "--ulimit=nproc=4096",
  "--read-only",
  "--read-only-tmpfs=false",
  "--cap-drop=all",
  "--security-opt=no-new-privileges",
  "--pids-limit=128",
  "--memory=512m",
  "--memory-swap=512m",
];
const COMMAND_MS = 60_000;

/** Removes the containers of this run, and of runs that have ended without doing so. */
export function removeLeftovers(): void {
  const listed = program("podman", [
    "ps",
    "--all",
    `--filter=label=${LABEL}`,
    `--format={{.ID}} {{index .Labels "${LABEL}"}}`,
  ]);
  for (const [id = "", pid] of listed.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(" "))) {
    if (Number(pid) === process.pid || !existsSync(`/proc/${pid}`))
      program("podman", ["rm", "--force", "--time=0", id]);
  }
}

/** Podman if it can run this image, otherwise the unpacked root, otherwise why neither can. */
export function findRuntime(image: string): Runtime | string {
  const tried = program("podman", [...CONFINED, "--rm", image, "--version"]);
  if (tried.code === 0 && process.env["RECOURSE_CHECK_RUNTIME"] !== "unshare") return podman(image);
  const reason = tried.stderr.trim().split("\n").at(-1) ?? "";
  const unshared = program("unshare", ["--mount", "--pid", "--fork", "true"]);
  return unshared.code === 0 ? unpacked(image) : `podman: ${reason}; unshare: ${unshared.stderr.trim()}`;
}

function podman(image: string): Runtime {
  const flags = ({ config, user }: RunOptions) => [
    `--volume=${config}:/etc/recourse:ro`,
    ...(user === undefined ? [] : [`--user=${user}`]),
  ];
  return {
    name: "podman",
    run: async (options) => {
      const { code, stdout, stderr } = await programBeside(
        "podman",
        [...CONFINED, "--rm", ...flags(options), image, ...(options.args ?? [])],
        COMMAND_MS,
      );
      return { code, output: stdout + stderr };
    },
    start: async (options) => {
      const { code, stdout, stderr } = await programBeside("podman", [
        ...CONFINED,
        "--detach",
        ...flags(options),
        image,
        ...(options.args ?? []),
      ]);
      if (code !== 0) throw new Error(stderr.trim());
      return podmanContainer(stdout.trim());
    },
  };
}

/** The files that count memory, by version of the system's control groups. */
const V1 = { peak: "memory.max_usage_in_bytes", limit: "memory.limit_in_bytes" };
const V2 = { peak: "memory.peak", limit: "memory.max" };
/** Where they are for a container. */
const MEMORY_FOLDERS: readonly (readonly [folder: (id: string) => string, files: typeof V1])[] = [
  [(id) => `/sys/fs/cgroup/memory/libpod_parent/libpod-${id}`, V1],
  [(id) => `/sys/fs/cgroup/memory/machine.slice/libpod-${id}.scope`, V1],
  [(id) => `/sys/fs/cgroup/machine.slice/libpod-${id}.scope/container`, V2],
  [(id) => `/sys/fs/cgroup/machine.slice/libpod-${id}.scope`, V2],
  [(id) => `/sys/fs/cgroup/libpod_parent/libpod-${id}`, V2],
];

function memoryOf(id: string): ReturnType<Running["memory"]> {
  for (const [folderOf, { peak, limit }] of MEMORY_FOLDERS) {
    const folder = folderOf(id);
    const read = (file: string) => Number(readFileSync(join(folder, file), "utf8"));
    if (existsSync(join(folder, peak))) return { peakBytes: read(peak), limitBytes: read(limit) };
  }
  return undefined;
}

function podmanContainer(id: string): Running {
  const pid = Number(program("podman", ["inspect", "--format={{.State.Pid}}", id]).stdout.trim());
  return {
    pid,
    signal: (name) => void process.kill(pid, name),
    ended: async (withinMs) => {
      const started = performance.now();
      const { code, stdout } = await programBeside("podman", ["wait", "--interval=50ms", id], withinMs);
      if (code !== 0) throw new Error(`still runs after ${withinMs} ms`);
      return { code: Number(stdout.trim()), ms: performance.now() - started };
    },
    output: async () => {
      const { stdout, stderr } = await programBeside("podman", ["logs", id]);
      return stdout + stderr;
    },
    memory: () => memoryOf(id),
    remove: () => void program("podman", ["rm", "--force", "--time=0", id]),
  };
}

/** Sets the root up inside of namespaces of its own, which end with the process. The file system is read-only from there on. */
const ENTER = `set -e
mount --bind "$ROOT" "$ROOT"
mount --bind "$CONFIG" "$ROOT/etc/recourse"
mount -t proc proc "$ROOT/proc"
mount -o remount,bind,ro "$ROOT"
exec setpriv --no-new-privs --clear-groups unshare --root="$ROOT" --wd=/app --setgid="$GID" --setuid="$UID_" -- "$@"`;

function unpacked(image: string): Runtime {
  const container = program("buildah", ["from", image]).stdout.trim();
  const root = program("buildah", ["mount", container]).stdout.trim();
  process.on("exit", () => void program("buildah", ["rm", container]));
  for (const folder of ["etc/recourse", "proc"]) mkdirSync(join(root, folder), { recursive: true });
  const { Entrypoint: entry, Cmd: command } = (
    JSON.parse(program("podman", ["image", "inspect", image]).stdout) as readonly {
      readonly Config: { readonly Entrypoint: readonly string[]; readonly Cmd: readonly string[] };
    }[]
  )[0]?.Config ?? { Entrypoint: [], Cmd: [] };
  const launch = ({ config, args = command, user = "65532:65532" }: RunOptions): ChildProcess => {
    const [uid = "", gid = ""] = user.split(":");
    const inner = ["sh", "-c", ENTER, "sh", ...entry, ...args];
    return spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", ...inner], {
      env: {
        PATH: process.env["PATH"],
        NODE_ENV: "production",
        ROOT: root,
        CONFIG: config,
        GID: gid,
        UID_: uid,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
  };
  return {
    name: "unshare and setpriv",
    run: async (options) => {
      const child = launch(options);
      const timer = setTimeout(() => child.kill("SIGKILL"), COMMAND_MS);
      const output = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
      const [code] = (await once(child, "exit")) as [number | null];
      clearTimeout(timer);
      return { code: code ?? -1, output: (await output).join("") };
    },
    start: async (options) => unpackedContainer(launch(options)),
  };
}

async function unpackedContainer(child: ChildProcess): Promise<Running> {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (more: string) => (output += more));
  const exited = once(child, "exit") as Promise<[number | null]>;
  const pid = await firstChild(child.pid ?? 0);
  return {
    pid,
    signal: (name) => void process.kill(pid, name),
    ended: async (withinMs) => {
      const started = performance.now();
      const late = sleep(withinMs, undefined, { ref: false }).then(() => {
        throw new Error(`still runs after ${withinMs} ms`);
      });
      const [code] = await Promise.race([exited, late]);
      return { code: code ?? -1, ms: performance.now() - started };
    },
    output: async () => output,
    memory: () => undefined,
    // Process 1 itself: it outlives unshare, since the signal of --kill-child is lost with the change of the user.
    remove: () => void (child.exitCode === null && child.signalCode === null && process.kill(pid, "SIGKILL")),
  };
}

/** The process that unshare has forked: process 1 of the namespace. */
async function firstChild(parent: number): Promise<number> {
  for (;;) {
    const [child] = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").split(" ");
    if (child !== undefined && child !== "") return Number(child);
    await sleep(10);
  }
}

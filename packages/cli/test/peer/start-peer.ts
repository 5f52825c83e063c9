import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "../support/compile-cache.ts";

/** The command line of `recourse`, from its sources. */
export const RECOURSE = [
  "--conditions=@recourse/source",
  // Node 22 warns about TypeScript on stderr.
  "--disable-warning=ExperimentalWarning",
  fileURLToPath(new URL("../../src/main.ts", import.meta.url)),
] as const;

/** A running `recourse peer`. */
export interface RunningPeer {
  readonly child: ChildProcess;
  /** The first line of stdout. */
  readonly firstLine: string;
  /** What was written to stderr so far. */
  stderr(): string;
  /** Asks it to end, and gives its exit code. */
  end(): Promise<number | null>;
}

/** Starts `recourse peer` and waits for its first line. */
export async function startPeer(...args: readonly string[]): Promise<RunningPeer> {
  const child = spawn(process.execPath, [...RECOURSE, "peer", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...COMPILE_CACHE },
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: firstLine = "" } = await lines.next();
  return {
    child,
    firstLine,
    stderr: () => stderr,
    async end() {
      child.kill("SIGINT");
      const [code] = await exited;
      return code;
    },
  };
}

// Starts the same server on each runtime, and tells how to run a script there.
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const { resolve } = createRequire(import.meta.url);
const HERE = import.meta.dirname;

/** How each runtime that is a program of its own runs a script. */
export const COMMANDS = {
  node: [process.execPath],
  bun: [resolve("@oven/bun-linux-x64/bin/bun")],
  // Deno asks for each right. A client over stdio has to start programs, and zod and the SDK look at the environment.
  deno: [
    resolve("@deno/linux-x64-glibc/deno"),
    "run",
    "--no-prompt",
    "--allow-net",
    "--allow-read",
    "--allow-env",
    "--allow-run",
  ],
} satisfies Record<string, readonly [string, ...string[]]>;

export type Program = keyof typeof COMMANDS;
export type Runtime = Program | "workerd";

/** A server under way. */
export interface Host {
  readonly base: string;
  stop(): Promise<void>;
}

/** Starts the server on a runtime. */
export function start(runtime: Runtime): Promise<Host> {
  return runtime === "workerd" ? startWorkerd() : startProgram(runtime);
}

async function startProgram(runtime: Program): Promise<Host> {
  const [command, ...args] = COMMANDS[runtime];
  const child = spawn(command as string, [...args, join(HERE, `on-${runtime}.ts`)], {
    cwd: HERE,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await portOf(child);
  return {
    base: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((done) => {
        child.once("exit", () => done());
        child.kill("SIGKILL");
      }),
  };
}

/** Reads the port that a server prints. */
function portOf(child: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<number> {
  return new Promise((found, fail) => {
    child.once("exit", (code) => fail(new Error(`the server ended with ${code} before it listened`)));
    createInterface(child.stdout).on("line", (line) => {
      const port = /^port (\d+)$/.exec(line)?.[1];
      if (port !== undefined) found(Number(port));
    });
  });
}

async function startWorkerd(): Promise<Host> {
  const worker = new Miniflare({
    modules: true,
    script: await bundle("on-workerd.ts", ["workerd", "worker", "browser"]),
    compatibilityDate: "2026-07-01",
    host: "127.0.0.1",
    port: 0,
  });
  const url = await worker.ready;
  return { base: url.origin, stop: () => worker.dispose() };
}

/** One file with everything in it, for runtimes that resolve no packages. */
export async function bundle(entry: string, conditions: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(HERE, entry)],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: [...conditions],
    target: "es2022",
  });
  return outputFiles[0]?.text ?? "";
}

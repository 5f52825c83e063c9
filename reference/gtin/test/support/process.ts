// The server as a separate process, started like a user does.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Process {
  readonly url: string;
  /** What it wrote to standard error so far. */
  readonly lines: readonly string[];
  /** Resident memory in MiB, and open files, sockets included. */
  usage(): { readonly memoryMiB: number; readonly files: number };
  /** Sends SIGTERM, and returns the exit code. */
  end(): Promise<number | null>;
}

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** Starts the server with a database, and waits until it listens. */
export async function startProcess(env: Readonly<Record<string, string>>): Promise<Process> {
  const child = spawn(process.execPath, ["--conditions=@recourse/source", MAIN], {
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stderr });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${lines.join("\n")}`)));
    output.on("line", (line) => {
      lines.push(line);
      const [, origin] = /MCP at (http:\S+)\/mcp/.exec(line) ?? [];
      if (origin !== undefined) resolve(origin);
    });
  });
  return {
    url,
    lines,
    usage: () => ({
      memoryMiB: Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_024,
      files: readdirSync(`/proc/${child.pid}/fd`).length,
    }),
    end: async () => {
      const ended = child.exitCode === null ? once(child, "exit") : Promise.resolve([child.exitCode]);
      child.kill("SIGTERM");
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

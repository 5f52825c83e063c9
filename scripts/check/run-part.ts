// Runs the commands of a part, and keeps how long it took.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Part } from "./part.ts";

/** How a part ended. */
export interface PartResult {
  readonly name: string;
  readonly title: string;
  readonly ok: boolean;
  readonly startedS: number;
  readonly seconds: number;
}

/** Options of `runPart`. */
export interface RunPartOptions {
  /** Whether the output appears while the part runs; if parts run at the same time it appears at the end of each. */
  readonly isLive: boolean;
}

/** Runs a part to its end, or to its first command that fails. */
export async function runPart(part: Part, { isLive }: RunPartOptions): Promise<PartResult> {
  const startedS = performance.now() / 1_000;
  const heading = `\n== ${part.title} (${part.name}) [${startedS.toFixed(0)}s]\n`;
  if (isLive) process.stdout.write(heading);
  let output = heading;
  let ok = true;
  for (const [program, ...args] of part.commands) {
    const child = spawn(program, args, {
      stdio: ["ignore", isLive ? "inherit" : "pipe", isLive ? "inherit" : "pipe"],
      env: { ...process.env, ...part.env },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    const failed = new Promise<string>((done) => child.once("error", (error) => done(error.message)));
    const ended = once(child, "close").then(([code]) => (code === 0 ? "" : `ended with ${String(code ?? "a signal")}`));
    const problem = await Promise.race([failed, ended]);
    if (problem === "") continue;
    ok = false;
    const line = `FAILED: ${[program, ...args].join(" ")}: ${problem}\n`;
    if (isLive) process.stdout.write(line);
    output += line;
    break;
  }
  if (!isLive) process.stdout.write(output);
  return { name: part.name, title: part.title, ok, startedS, seconds: performance.now() / 1_000 - startedS };
}

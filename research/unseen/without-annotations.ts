// Starts a server over stdio and passes everything on, but for the annotations of its tools: what a probe says about a server
// must not become better by that.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(child.stdin);
child.stdin.on("error", () => {});
createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
  process.stdout.write(`${line.includes('"annotations"') ? withoutAnnotations(line) : line}\n`);
});
child.on("close", (code) => process.exit(code ?? 1));
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => child.kill(signal));

function withoutAnnotations(line: string): string {
  try {
    const message = JSON.parse(line) as { result?: { tools?: { annotations?: unknown }[] } };
    for (const tool of message.result?.tools ?? []) delete tool.annotations;
    return JSON.stringify(message);
  } catch {
    return line;
  }
}

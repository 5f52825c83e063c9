// Runs a program that is installed for the website.
import { spawn } from "node:child_process";
import { join } from "node:path";

const TOOLS = join(import.meta.dirname, "../node_modules");

/** What a program printed. */
export interface ToolOutput {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script of `site/node_modules` with this version of Node. */
export async function runTool(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ToolOutput> {
  const child = spawn(process.execPath, [join(TOOLS, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const read = async (stream: NodeJS.ReadableStream) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString("utf8");
  };
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  const [stdout, stderr, status] = await Promise.all([read(child.stdout), read(child.stderr), ended]);
  return { status, stdout, stderr };
}

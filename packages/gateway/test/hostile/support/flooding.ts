import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const SCRIPT = fileURLToPath(new URL("./flooding-server.mjs", import.meta.url));

/** The command of a child that floods. */
export const FLOODING_CHILD: readonly [string, ...string[]] = [process.execPath, SCRIPT, "stdio"];

/** Starts an MCP server over HTTP that floods, in a process of its own; it ends with the test. */
export async function startFloodingServer(): Promise<URL> {
  const child = spawn(process.execPath, [SCRIPT, "http"], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return new URL(`http://127.0.0.1:${port.toString().trim()}/mcp`);
}

/** How many bytes the server has given away since it was started. */
export async function bytesSent(url: URL): Promise<number> {
  const answer = await fetch(new URL("/sent", url));
  return Number(await answer.text());
}

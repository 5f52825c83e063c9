import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { end, type Program, start } from "./child.ts";

const ANSWER_LIMIT_MS = 30_000;
/** Some servers write their files a moment after the start. */
const SETTLE_MS = 1_500;
const EXIT_LIMIT_MS = 3_000;

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "survey", version: "1.0.0" } },
};

/** Starts a server over stdio, opens a conversation and ends it: what then changes, changes with every start. */
export async function startOnce(program: Program): Promise<void> {
  const child = start(program, "pipe");
  const ended = once(child, "close").catch(() => {});
  try {
    child.stdin?.on("error", () => {});
    child.stderr?.resume();
    child.stdin?.write(`${JSON.stringify(INITIALIZE)}\n`);
    const answered = child.stdout === null ? ended : once(child.stdout, "data");
    await Promise.race([answered, ended, sleep(ANSWER_LIMIT_MS)]);
    child.stdout?.resume();
    child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    await Promise.race([ended, sleep(SETTLE_MS)]);
    child.stdin?.end();
    await Promise.race([ended, sleep(EXIT_LIMIT_MS)]);
  } finally {
    end(child);
    await Promise.race([ended, sleep(EXIT_LIMIT_MS)]);
  }
}

// The servers as a separate process, started like a user does, on a database that does not exist yet.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { TEST_SERVER_URL } from "@recourse/test-kit/postgres";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { observe, observeRest } from "./support/observers.ts";
import { KEYS } from "./support/test-environment.ts";

const name = `crm_start_${randomUUID().replaceAll("-", "")}`;
const journal = join(tmpdir(), `${name}.jsonl`);
const address = new URL(TEST_SERVER_URL);
address.pathname = `/${name}`;
const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

function start(env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, ["--conditions=@recourse/source", MAIN], {
    env: { ...process.env, REST_PORT: "0", MCP_PORT: "0", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

afterAll(async () => {
  const client = new pg.Client({ connectionString: TEST_SERVER_URL });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.end();
  await rm(journal, { force: true });
});

test("one command starts them, and a signal ends them", async () => {
  const child = start({ DATABASE_URL: address.href, JOURNAL: journal });
  const ended = once(child, "exit");
  try {
    let told = "";
    for await (const line of createInterface({ input: child.stderr })) {
      told = line;
      if (line.startsWith("REST at")) break;
    }
    const [, rest = "", mcp = ""] = /^REST at (\S+)\/v1, .* MCP at (\S+)\/mcp$/.exec(told) ?? [];
    const toolCall = { tool: "listAgents", authorization: `Bearer ${KEYS.north}` };
    const { body } = await observeRest(rest, toolCall);
    expect(body).toEqual({ agents: [expect.anything(), expect.anything()] });
    expect((await observe("v2 modern", mcp, toolCall)).message.result?.structuredContent).toEqual(body);
    expect(await readFile(journal, "utf8")).toContain('"tool":"listAgents"');
  } finally {
    child.kill("SIGTERM");
  }
  expect(await ended).toEqual([0, null]);
});

test("without a database they say what is missing", async () => {
  const child = start({ DATABASE_URL: "" });
  const [code] = await once(child, "exit");
  expect(code).toBe(1);
});

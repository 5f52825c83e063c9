// Many callers come and go: what is kept for them is bounded.
import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import { usedBytes } from "../support/used-bytes.ts";
import { callAs, listFor } from "./support.ts";

/** So many fill what is kept, and so many more come after them. */
const FIRST = 1_000;
const FURTHER = 1_000;
const AT_ONCE = 50;
/** What the lists of one caller take: a schema of some size. */
const TOOLS = Array.from({ length: 10 }, (_, at) => ({
  name: `tool_${at}`,
  inputSchema: { type: "object", description: `${"x".repeat(2_000)}` },
}));

test("the lists of a thousand further callers take no memory besides those of the first thousand", async () => {
  // No list is late on a slow machine.
  holdTime();
  const stub = await startStubUpstream(undefined, TOOLS);
  const keys = Array.from({ length: FIRST + FURTHER }, (_, at) => `key-${at}`);
  const gateway = await startTestGateway({
    authentication: "required",
    keys: keys.map((key) => ({
      id: key,
      sha256: hash("sha256", key),
      tenant: `tenant-${key}`,
      tools: ["*"],
      scopes: [],
      entitlements: [],
      dialect: undefined,
    })),
    upstreams: [httpUpstream(stub.url, { lists: "caller" })],
  });
  async function visit(from: number, to: number): Promise<void> {
    for (let at = from; at < to; at += AT_ONCE) {
      const some = keys.slice(at, at + AT_ONCE);
      const lists = await Promise.all(some.map((key) => listFor(gateway, key)));
      for (const list of lists) expect(list).toHaveLength(TOOLS.length);
      const answers = await Promise.all(some.map((key) => callAs(gateway, key, "up__tool_1")));
      for (const { text } of answers) expect(text).toContain('"ok"');
    }
  }
  await visit(0, FIRST);
  const before = settledBytes();
  await visit(FIRST, FIRST + FURTHER);
  // Kept for ever, they would take 40 MiB.
  expect(settledBytes() - before).toBeLessThan(20 * 1_024 * 1_024);
  expect(stub.prepared.filter((method) => method === "tools/list")).toHaveLength(FIRST + FURTHER);
}, 120_000);

/** The memory in use. Buffers that nobody refers to are still counted the first time. */
function settledBytes(): number {
  usedBytes();
  return usedBytes();
}

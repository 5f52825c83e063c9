// All refused keys get the same bytes, except request id and date, after the same time.
import { request } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { createTestEnvironment, KEYS } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());

const CREDENTIALS: Readonly<Record<string, string>> = {
  unknown: "Bearer pl_key_demo_nobody_0123456789abcdef",
  revoked: `Bearer ${KEYS.revoked}`,
  expired: `Bearer ${KEYS.expired}`,
  malformed: "Bearer pl_key_!",
  "with its end cut off": `Bearer ${KEYS.north.slice(0, -1)}`,
  "with something after it": `Bearer ${KEYS.north} ${KEYS.north}`,
  "of great length": `Bearer pl_key_${"x".repeat(5_000)}`,
};

interface Way {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const CALL = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "getClient", arguments: { id: "1" } } };
const WAYS: Readonly<Record<string, Way>> = {
  "over REST": { url: `${environment.rest}/v1/clients/1` },
  "in the result of the tool": {
    url: `${environment.mcp}/mcp`,
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(CALL),
  },
};

/** The whole answer as text: status, headers in their order, body; without request id and time. */
function answerTo({ url, method = "GET", headers = {}, body }: Way, authorization?: string): Promise<string> {
  const credentials = authorization === undefined ? {} : { authorization };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, ...credentials } }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const fields = answer.rawHeaders.join("\n").replace(/^(?:Date|x-request-id)\n.*$/gm, "");
      resolve(`${answer.statusCode} ${answer.statusMessage}\n${fields}\n\n${Buffer.concat(chunks).toString("latin1")}`);
    });
    sent.on("error", reject).end(body);
  });
}

describe.each(Object.entries(WAYS))("%s", (_, way) => {
  test.each(Object.entries(CREDENTIALS))("a key %s", async (_cause, authorization) => {
    const malformed = await answerTo(way, CREDENTIALS["malformed"]);
    expect(malformed).toContain("Valid credentials are required.");
    expect(await answerTo(way, authorization)).toBe(malformed);
  });

  test("a valid key is not refused", async () => {
    expect(await answerTo(way, `Bearer ${KEYS.north}`)).toContain("Ada Brandt");
  });
});

const rest = WAYS["over REST"] as Way;

test("over REST, no key at all and other schemes are refused with the same bytes", async () => {
  const malformed = await answerTo(rest, CREDENTIALS["malformed"]);
  for (const other of [undefined, "Basic cGw6a2V5", "Bearer", "Bearer abc", KEYS.north]) {
    expect(await answerTo(rest, other)).toBe(malformed);
  }
});

test("every answer has a request id of its own", async () => {
  const ids = await Promise.all([1, 2].map(async () => (await fetch(rest.url)).headers.get("x-request-id")));
  expect(new Set(ids).size).toBe(2);
});

test("all refusals take the same time", async () => {
  const times = new Map<string, number[]>();
  // In turns, so that other load of the machine affects all alike.
  for (let round = 0; round < 60; round++) {
    for (const [cause, authorization] of Object.entries(CREDENTIALS)) {
      const started = performance.now();
      await answerTo(rest, authorization);
      times.set(cause, [...(times.get(cause) ?? []), performance.now() - started]);
    }
  }
  const medians = [...times.values()].map((list) => list.toSorted((a, b) => a - b)[list.length / 2] ?? 0);
  expect(Math.max(...medians)).toBeLessThan(Math.min(...medians) * 2 + 2);
});

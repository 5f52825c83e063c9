import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import type { GatewayConfig } from "../../src/config/types.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { MODERN_META, modernHeaders } from "../support/post.ts";
import { answerWith, OK, type StubAnswer, sendJson, startStubUpstream } from "../support/stub-upstream.ts";

/** One caller takes what it can get; the calls of another one are served as if it were not there. */
describe("one caller beside another", () => {
  test("1,100 slow calls do not keep others from an upstream", async () => {
    const url = await gatewayWith(slowOrQuick);
    const hostile = caller(url, "hostile");
    for (let n = 0; n < 1_100; n++) hostile.leave(hostile.call("slow", n, { deadlineMs: 20_000 }));
    await sleep(3_000);
    await expect(served(caller(url, "honest"))).resolves.toBe(5);
  });

  test("a caller over its share waits within its deadline, and is then told the limit", async () => {
    const url = await gatewayWith(slowOrQuick, { maxCalls: 32 });
    const hostile = caller(url, "hostile");
    const honest = caller(url, "honest");
    await honest.call("quick", 1);
    for (let n = 0; n < 24; n++) hostile.leave(hostile.call("slow", n));
    await sleep(200);
    const refused = await hostile.call("quick", 99, { deadlineMs: 300 });
    expect(refused.text).toContain('"reason":"core/rate_limited"');
    expect(refused.text).toContain('"policy":"calls"');
    await expect(honest.call("quick", 2)).resolves.toMatchObject({ text: expect.stringContaining('"text":"ok"') });
  });

  test("1,024 streams of one caller leave room for others", async () => {
    const url = await gatewayWith(answerWith(OK));
    const hostile = caller(url, "hostile");
    for (let n = 0; n < 1_024; n++) hostile.leave(hostile.listen(n));
    await sleep(1_500);
    const honest = caller(url, "honest");
    const stream = honest.listen(1);
    const outcome = await Promise.race([stream.then(({ text }) => text), sleep(3_000, "open")]);
    expect(outcome).toBe("open");
  });

  test("large answers that never end leave memory for others", async () => {
    const url = await gatewayWith(largeOrQuick, {}, { maxHeldBytes: 64 * MIB });
    const honest = caller(url, "honest");
    await honest.call("quick", 0);
    const hostile = caller(url, "hostile");
    // Ever smaller ones, so that nothing is left.
    for (let size = 8 * MIB; size >= 64; size /= 2) {
      for (let n = 0; n < 8; n++) hostile.leave(hostile.call("large", n, { size, deadlineMs: 20_000 }));
      await sleep(100);
    }
    await expect(served(honest)).resolves.toBe(5);
  });
});

const MIB = 1_024 * 1_024;

/** How many of five calls are answered in time. */
async function served(honest: ReturnType<typeof caller>): Promise<number> {
  const answers = await Promise.all([1, 2, 3, 4, 5].map((id) => honest.call("quick", id, { deadlineMs: 8_000 })));
  return answers.filter(({ text }) => text.includes('"text":"ok"')).length;
}

const slowOrQuick: StubAnswer = async (sent, response) => {
  if (sent.text.includes('"name":"slow"')) await sleep(15_000, undefined, { ref: false });
  return answerWith(OK)(sent, response);
};

/** A large answer of which the end never comes. */
const largeOrQuick: StubAnswer = ({ id, text }, response) => {
  if (!text.includes('"name":"large"')) {
    sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":${OK}}`);
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  response.write(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[{"type":"text","text":"`);
  response.write("x".repeat(Number(/"size":([0-9.]+)/.exec(text)?.[1])));
};

async function gatewayWith(
  answer: StubAnswer,
  changes: Readonly<Record<string, unknown>> = {},
  config: Partial<GatewayConfig> = {},
): Promise<URL> {
  const stub = await startStubUpstream(answer, ["slow", "quick", "large"]);
  const { url } = await startTestGateway({
    upstreams: [httpUpstream(stub.url, changes)],
    authentication: "required",
    keys: ["hostile", "honest"].map((id) => ({
      id,
      sha256: createHash("sha256").update(keyOf(id)).digest("hex"),
      tenant: id,
      tools: ["*"],
      scopes: [],
      entitlements: [],
      dialect: undefined,
    })),
    ...config,
  });
  return url;
}

const keyOf = (id: string) => `rk_${id}_0123456789abcdef`;

function caller(url: URL, id: string) {
  const agent = new Agent({ connections: 2_000, pipelining: 1 });
  const leaving = new AbortController();
  onTestFinished(async () => {
    leaving.abort();
    await agent.destroy();
  });
  const send = async (method: string, name: string | undefined, body: string) => {
    const headers = { ...modernHeaders(method, name), authorization: `Bearer ${keyOf(id)}` };
    const answer = await request(url, {
      method: "POST",
      headers,
      body,
      dispatcher: agent,
      signal: leaving.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  return {
    call(tool: string, n: number, { deadlineMs = 4_000, size = 0 } = {}) {
      const meta = `{${MODERN_META},"recourse/call":{"id":"c${n}","attempt":1,"deadlineMs":${deadlineMs}}}`;
      const params = `{"name":"up__${tool}","arguments":{"size":${size}},"_meta":${meta}}`;
      return send("tools/call", `up__${tool}`, `{"jsonrpc":"2.0","id":${n},"method":"tools/call","params":${params}}`);
    },
    listen(n: number) {
      const params = `{"notifications":{"toolsListChanged":true},"_meta":{${MODERN_META}}}`;
      return send(
        "subscriptions/listen",
        undefined,
        `{"jsonrpc":"2.0","id":${n},"method":"subscriptions/listen","params":${params}}`,
      );
    },
    /** Does not wait for the answer. */
    leave(answer: Promise<unknown>) {
      answer.catch(() => {});
    },
  };
}

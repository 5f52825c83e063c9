import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { eventually } from "@recourse/test-kit/eventually";
import { Agent, request } from "undici";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { GatewayConfig } from "../../src/config/types.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { MODERN_META, modernHeaders } from "../support/post.ts";
import { answerWith, OK, type StubAnswer, sendJson, startStubUpstream } from "../support/stub-upstream.ts";

// Whoever has to wait here for others waits for ever: no deadline ends.
beforeEach(holdTime);

/** One caller takes what it can get; the calls of another one are served as if it were not there. */
describe("one caller beside another", () => {
  test("1,100 slow calls do not keep others from an upstream", async () => {
    const slow = slowOrQuick();
    const url = await gatewayWith(slow.answer);
    const hostile = caller(url, "hostile");
    const refused: string[] = [];
    for (let n = 0; n < 1_100; n++) hostile.leave(hostile.call("slow", n).then(({ text }) => refused.push(text)));
    // All but an eighth of 1,024 are under way, 128 wait, and the rest is refused.
    await eventually(() => expect([slow.underWay(), refused.length]).toEqual([896, 76]));
    expect(refused.filter((text) => !text.includes('"policy":"calls"'))).toEqual([]);
    await expect(served(caller(url, "honest"))).resolves.toBe(5);
    expect(slow.underWay()).toBe(896);
  });

  test("a caller over its share waits within its deadline, and is then told the limit", async () => {
    const slow = slowOrQuick();
    const url = await gatewayWith(slow.answer, { maxCalls: 32 });
    const hostile = caller(url, "hostile");
    const honest = caller(url, "honest");
    await honest.call("quick", 1);
    for (let n = 0; n < 24; n++) hostile.leave(hostile.call("slow", n));
    await eventually(() => expect(slow.underWay()).toBe(16));
    const deadline = deadlineOf(300);
    let isAnswered = false;
    const waiting = hostile.call("quick", 99, { deadlineMs: 300 }).finally(() => {
      isAnswered = true;
    });
    await eventually(() => expect(deadline.isSet()).toBe(true));
    await expect(honest.call("quick", 2)).resolves.toMatchObject({ text: expect.stringContaining('"text":"ok"') });
    expect(isAnswered).toBe(false);
    deadline.end();
    const refused = await waiting;
    expect(refused.text).toContain('"reason":"core/rate_limited"');
    expect(refused.text).toContain('"policy":"calls"');
    await expect(honest.call("quick", 3)).resolves.toMatchObject({ text: expect.stringContaining('"text":"ok"') });
  });

  test("1,024 streams of one caller leave room for others", async () => {
    const url = await gatewayWith(answerWith(OK));
    const hostile = caller(url, "hostile");
    await Promise.all(Array.from({ length: 1_024 }, (_, n) => hostile.listen(n)));
    const stream = await caller(url, "honest").listen(1);
    expect(stream.text()).toContain("notifications/subscriptions/acknowledged");
    expect(stream.isOver()).toBe(false);
  });

  test("large answers that never end leave memory for others", async () => {
    const large = largeOrQuick();
    const url = await gatewayWith(large.answer, {}, { maxHeldBytes: 64 * MIB });
    const honest = caller(url, "honest");
    await honest.call("quick", 0);
    const hostile = caller(url, "hostile");
    let calls = 0;
    const ended: string[] = [];
    // Ever smaller ones, so that nothing is left.
    for (let size = 8 * MIB; size >= 64; size /= 2) {
      for (let n = 0; n < 8; n++) {
        calls += 1;
        hostile.leave(hostile.call("large", n, { size }).then(({ text }) => ended.push(text)));
      }
      await eventually(() => expect(large.read() + ended.length).toBeGreaterThanOrEqual(calls));
    }
    expect(ended.length).toBeGreaterThan(0);
    await expect(served(honest)).resolves.toBe(5);
  });
});

const MIB = 1_024 * 1_024;

/** How many of five calls are answered well. */
async function served(honest: ReturnType<typeof caller>): Promise<number> {
  const answers = await Promise.all([1, 2, 3, 4, 5].map((id) => honest.call("quick", id)));
  return answers.filter(({ text }) => text.includes('"text":"ok"')).length;
}

/** Slow calls are never answered. */
function slowOrQuick() {
  const underWay = new Set<ServerResponse>();
  const answer: StubAnswer = (sent, response) => {
    if (!sent.text.includes('"name":"slow"')) return answerWith(OK)(sent, response);
    underWay.add(response);
    response.once("close", () => underWay.delete(response));
  };
  return { answer, underWay: () => underWay.size };
}

/** Large answers of which the end never comes. */
function largeOrQuick() {
  let read = 0;
  const answer: StubAnswer = ({ id, text }, response) => {
    if (!text.includes('"name":"large"')) {
      sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":${OK}}`);
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.write(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[{"type":"text","text":"`);
    response.write("x".repeat(Number(/"size":([0-9.]+)/.exec(text)?.[1])), (error) => {
      if (error == null) read += 1;
    });
  };
  return { answer, /** The answers of which all that was sent has left. */ read: () => read };
}

/** Takes hold of the deadline with this length. */
function deadlineOf(ms: number) {
  const late = new AbortController();
  const platform = AbortSignal.timeout.bind(AbortSignal);
  let isSet = false;
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((given) => {
    if (given !== ms) return platform(given);
    isSet = true;
    return late.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  return { isSet: () => isSet, end: () => late.abort() };
}

async function gatewayWith(
  answer: StubAnswer,
  changes: Readonly<Record<string, unknown>> = {},
  config: Partial<GatewayConfig> = {},
): Promise<URL> {
  const stub = await startStubUpstream(answer, ["slow", "quick", "large"]);
  const { url } = await startTestGateway({
    upstreams: [httpUpstream(stub.url, { timeoutMs: HOUR_MS, ...changes })],
    deadlineMs: HOUR_MS,
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

/** Longer than the tests run. */
const HOUR_MS = 3_600_000;
const keyOf = (id: string) => `rk_${id}_0123456789abcdef`;

function caller(url: URL, id: string) {
  const agent = new Agent({ connections: 2_000, pipelining: 1 });
  const leaving = new AbortController();
  onTestFinished(async () => {
    leaving.abort();
    await agent.destroy();
  });
  const send = (method: string, name: string | undefined, body: string) => {
    const headers = { ...modernHeaders(method, name), authorization: `Bearer ${keyOf(id)}` };
    return request(url, {
      method: "POST",
      headers,
      body,
      dispatcher: agent,
      signal: leaving.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  };
  return {
    async call(tool: string, n: number, { deadlineMs = HOUR_MS, size = 0 } = {}) {
      const meta = `{${MODERN_META},"recourse/call":{"id":"c${n}","attempt":1,"deadlineMs":${deadlineMs}}}`;
      const params = `{"name":"up__${tool}","arguments":{"size":${size}},"_meta":${meta}}`;
      const body = `{"jsonrpc":"2.0","id":${n},"method":"tools/call","params":${params}}`;
      const answer = await send("tools/call", `up__${tool}`, body);
      return { text: await answer.body.text() };
    },
    /** Waits for the first bytes of a stream. */
    async listen(n: number) {
      const params = `{"notifications":{"toolsListChanged":true},"_meta":{${MODERN_META}}}`;
      const body = `{"jsonrpc":"2.0","id":${n},"method":"subscriptions/listen","params":${params}}`;
      const answer = await send("subscriptions/listen", undefined, body);
      let text = "";
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      answer.body.on("end", end).on("error", end);
      await new Promise<void>((resolve) => {
        answer.body.on("data", (piece: Buffer) => {
          text += piece.toString();
          resolve();
        });
        answer.body.once("close", resolve);
      });
      return { text: () => text, isOver: () => isOver };
    },
    /** Does not wait for the answer. */
    leave(answer: Promise<unknown>) {
      answer.catch(() => {});
    },
  };
}

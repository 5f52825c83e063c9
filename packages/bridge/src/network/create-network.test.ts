import type { TestUpstream, UpstreamAnswer } from "@recourse/test-kit/loopback";
import { describe, expect, test } from "vitest";
import { createTestNetwork, get, replyText, startTestUpstream, summaryOf } from "../../test/test-network.ts";
import { createNetwork, type HttpSendOptions } from "./create-network.ts";
import type { ExchangeResult } from "./exchange.ts";

describe("many at a time", () => {
  test("run up to the limit; a full queue and a long wait fail as overloaded", async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const upstream = await startTestUpstream(async (_, response) => {
      most = Math.max(
        most,
        waiting.push(() => response.end("ok")),
      );
    });
    const one = createTestNetwork({ concurrency: 1, deadlineMs: 600_000 });
    const calls = Array.from({ length: 9 }, (_, index) =>
      one.send(get(upstream.url), index === 8 ? { timeoutMs: 30 } : {}),
    );
    expect(summaryOf(await one.send(get(upstream.url)))).toEqual({ code: "overloaded", sent: false });
    expect(summaryOf((await calls[8]) as ExchangeResult)).toEqual({ code: "overloaded", sent: false });
    const done = Promise.all(calls.slice(0, 8));
    while (upstream.hits.length < 8 || waiting.length > 0) {
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
    expect((await done).map(replyText)).toEqual(Array.from({ length: 8 }, () => "ok"));
    expect(most).toBe(1);
  });
});

test("a closed network sends nothing", async () => {
  const upstream = await startTestUpstream((_, response) => response.end());
  const closed = createNetwork({ allowPrivate: true });
  await closed.close();
  expect(summaryOf(await closed.send(get(upstream.url)))).toEqual({ code: "closed", sent: false });
  expect(upstream.hits).toHaveLength(0);
});

test.each([
  { deadlineMs: 0 },
  { concurrency: 1.5 },
  { maxResponseBytes: -1 },
  { headersTimeoutMs: Number.NaN },
  { bodyTimeoutMs: 2 ** 31 },
])("an invalid limit is refused: %j", (limits) => {
  expect(() => createNetwork(limits)).toThrow(RangeError);
});

describe("redirects", () => {
  const base = (upstream: TestUpstream): HttpSendOptions => ({ base: new URL(`${upstream.url}/api`) });
  const hop = (to: string, status = 302): UpstreamAnswer => {
    return (hit, response) =>
      hit.target === "/api/a" ? response.writeHead(status, { location: to }).end() : response.end("there");
  };

  test("are not followed by default", async () => {
    const upstream = await startTestUpstream(hop("/api/b"));
    expect(summaryOf(await createTestNetwork().send(get(`${upstream.url}/api/a`), base(upstream)))).toMatchObject({
      status: 302,
    });
    expect(upstream.hits).toHaveLength(1);
  });

  test("of reading requests are followed below the base", async () => {
    const upstream = await startTestUpstream(hop("b?c=1"));
    const ended = await createTestNetwork({ redirects: "same-origin" }).send(
      get(`${upstream.url}/api/a`),
      base(upstream),
    );
    expect(replyText(ended)).toBe("there");
    expect(upstream.hits.map((hit) => hit.target)).toEqual(["/api/a", "/api/b?c=1"]);
  });

  test.each([
    ["elsewhere", "http://127.0.0.2:1/api/b", "GET", 302],
    ["to another scheme", "file:///etc/passwd", "GET", 302],
    ["above the base", "/admin", "GET", 302],
    ["above the base by dots", "/api/../admin", "GET", 302],
    ["beside the base", "/apis/b", "GET", 302],
    ["with a name and a password", "//u:p@127.0.0.1/api/b", "GET", 302],
    ["of a write", "/api/b", "POST", 307],
    ["to a page about it", "/api/b", "GET", 303],
  ] as const)("are not followed %s", async (_, to, method, status) => {
    const upstream = await startTestUpstream(hop(to, status));
    const ended = await createTestNetwork({ redirects: "same-origin" }).send(
      get(`${upstream.url}/api/a`, { method }),
      base(upstream),
    );
    expect(summaryOf(ended)).toMatchObject({ status });
    expect(upstream.hits).toHaveLength(1);
  });

  test("end after three", async () => {
    const upstream = await startTestUpstream((_, response) => response.writeHead(302, { location: "/api/a" }).end());
    const ended = await createTestNetwork({ redirects: "same-origin" }).send(
      get(`${upstream.url}/api/a`),
      base(upstream),
    );
    expect(summaryOf(ended)).toMatchObject({ status: 302 });
    expect(upstream.hits).toHaveLength(4);
  });
});

import { openUpstream } from "@recourse/test-kit/fixtures";
import { expect, test } from "vitest";
import { createTestNetwork, get, replyText, summaryOf } from "../../test/test-network.ts";
import { createNetwork } from "./create-network.ts";
import type { ExchangeResult } from "./exchange.ts";

test("many at a time run up to the limit; a full queue and a long wait fail as overloaded", async () => {
  const waiting: (() => void)[] = [];
  let most = 0;
  const upstream = await openUpstream(async (_, response) => {
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

test.each([
  { deadlineMs: 0 },
  { concurrency: 1.5 },
  { maxResponseBytes: -1 },
  { headersTimeoutMs: Number.NaN },
  { bodyTimeoutMs: 2 ** 31 },
])("an invalid limit is refused: %j", (limits) => {
  expect(() => createNetwork(limits)).toThrow(RangeError);
});

test("a redirect is not followed", async () => {
  const upstream = await openUpstream((_, response) => response.writeHead(302, { location: "/b" }).end());
  expect(summaryOf(await createTestNetwork().send(get(`${upstream.url}/a`)))).toMatchObject({ status: 302 });
  expect(upstream.hits).toHaveLength(1);
});

import { describe, expect, test } from "vitest";
import { get, network, serving, textOf, told } from "../../test/exchanges.ts";
import type { Exchanged } from "./exchange.ts";
import { createNetwork } from "./network.ts";

describe("many at a time", () => {
  test("are as many as allowed; those who cannot wait hear so, those who wait too long too", async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const upstream = await serving(async (_, response) => {
      most = Math.max(
        most,
        waiting.push(() => response.end("ok")),
      );
    });
    const one = network({ concurrency: 1, totalMs: 5_000 });
    const calls = Array.from({ length: 9 }, (_, index) =>
      one.send(get(upstream.url), index === 8 ? { totalMs: 30 } : {}),
    );
    expect(told(await one.send(get(upstream.url)))).toEqual({ why: "busy", sent: false });
    expect(told((await calls[8]) as Exchanged)).toEqual({ why: "busy", sent: false });
    const done = Promise.all(calls.slice(0, 8));
    while (upstream.hits.length < 8 || waiting.length > 0) {
      waiting.shift()?.();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect((await done).map(textOf)).toEqual(Array.from({ length: 8 }, () => "ok"));
    expect(most).toBe(1);
  });
});

test("a closed network sends nothing", async () => {
  const upstream = await serving((_, response) => response.end());
  const closed = createNetwork({ allowPrivate: true });
  await closed.close();
  expect(told(await closed.send(get(upstream.url)))).toEqual({ why: "closed", sent: false });
  expect(upstream.hits).toHaveLength(0);
});

test.each([
  { totalMs: 0 },
  { concurrency: 1.5 },
  { maxResponseBytes: -1 },
  { headersMs: Number.NaN },
  { bodyMs: 2 ** 31 },
])("a limit that is none is refused: %j", (limits) => {
  expect(() => createNetwork(limits)).toThrow(TypeError);
});

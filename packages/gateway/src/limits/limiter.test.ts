import { core } from "@recourse/core/reasons";
import type { LimitAnswer, LimitRefused } from "@recourse/stores/redis";
import { expect, test } from "vitest";
import { callerAt } from "../auth/callers.ts";
import { RefusedMessages } from "./limiter.ts";

const CALLER = callerAt("192.0.2.1");
const BUCKET = { id: "key:a", group: "tenant a", perSecond: 1, burst: 1 };

const shortOf = (waitMs: number): LimitRefused => ({
  ok: false,
  away: false,
  waitMs,
  short: [{ bucket: BUCKET, waitMs }],
});

function messages(answer: LimitAnswer | Promise<LimitAnswer> | undefined) {
  const clock = { ms: 0 };
  const all = new RefusedMessages({
    take: () => answer,
    refused: ({ waitMs, short }) =>
      core.rate_limited.fault(
        {},
        { retry: { allowed: true, afterMs: waitMs }, limits: [{ resetMs: short[0].waitMs }] },
      ),
    now: () => clock.ms,
  });
  return { all, clock };
}

test("while there are tokens, or none are counted, a caller is read", async () => {
  const taken = { ok: true } as LimitAnswer;
  const away = { ok: false, away: true } as LimitAnswer;
  for (const answer of [undefined, taken, away]) {
    const { all } = messages(answer);
    expect(all.count(CALLER, 100)).toBeUndefined();
    expect(await messages(answer && Promise.resolve(answer)).all.count(CALLER, 100)).toBeUndefined();
    expect(all.check(CALLER)).toBeUndefined();
  }
});

test("when none is left, the caller is not read until there is one, and the wait is true", () => {
  const { all, clock } = messages(shortOf(400));
  expect(all.check(CALLER)).toBeUndefined();
  expect(all.count(CALLER, 100)).toMatchObject({ kind: "rate_limited", retry: { afterMs: 400 } });
  clock.ms = 100;
  expect(all.check(CALLER)).toMatchObject({ retry: { afterMs: 300 }, limits: [{ resetMs: 300 }] });
  expect(all.check(callerAt("192.0.2.2"))).toBeUndefined();
  clock.ms = 400;
  expect(all.check(CALLER)).toBeUndefined();
});

test("a long wait does not keep a caller from what costs nothing", async () => {
  const { all, clock } = messages(Promise.resolve(shortOf(3_600_000)));
  expect(await all.count(CALLER, 100)).toMatchObject({ retry: { afterMs: 3_600_000 } });
  clock.ms = 999;
  expect(all.check(CALLER)).toMatchObject({ retry: { afterMs: 3_599_001 } });
  clock.ms = 1_000;
  expect(all.check(CALLER)).toBeUndefined();
});

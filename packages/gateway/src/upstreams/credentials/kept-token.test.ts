import { ABORTED, TIMED_OUT } from "@recourse/core/wire";
import { describe, expect, test } from "vitest";
import { KeptToken } from "./kept-token.ts";
import { type TokenAnswer, type TokenRefusal, TokenServiceError } from "./token-request.ts";
import type { TokenRequest } from "./token-service.ts";

const OWN = { kind: "own" } as const;
const WAIT = { timeoutMs: 5_000 };

function open(options: { readonly maxLifeMs?: () => number; readonly lifeMs?: number | undefined } = {}) {
  const state = { nowMs: 0, asked: 0, next: undefined as TokenAnswer | undefined };
  const tokenRequests: TokenRequest[] = [];
  const held: (() => void)[] = [];
  let isHolding = false;
  const service = {
    async ask(tokenRequest: TokenRequest): Promise<TokenAnswer> {
      tokenRequests.push(tokenRequest);
      state.asked += 1;
      const value = `token-${state.asked}`;
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
      return state.next ?? { outcome: "given", value, lifeMs: "lifeMs" in options ? options.lifeMs : 600_000 };
    },
  };
  const kept = new KeptToken({ service, key: "one", now: () => state.nowMs, maxLifeMs: options.maxLifeMs });
  return {
    kept,
    state,
    tokenRequests,
    hold: () => {
      isHolding = true;
    },
    release: () => {
      isHolding = false;
      for (const resolve of held.splice(0)) resolve();
    },
    value: async (wait = WAIT) => {
      const got = await kept.get(OWN, wait);
      if (typeof got === "symbol") return got;
      return "value" in got ? got.value : got.outcome;
    },
  };
}

const failure = (outcome: "unavailable" | "misconfigured" | "refused", afterMs?: number): TokenRefusal => ({
  outcome,
  isForAll: false,
  afterMs,
  cause: new TokenServiceError("no"),
});

describe("a token", () => {
  test("is fetched once for all who wait, and given at once from then on", async () => {
    const { kept, state, value, hold, release } = open();
    hold();
    const all = Promise.all(Array.from({ length: 20 }, () => value()));
    release();
    expect(new Set(await all)).toEqual(new Set(["token-1"]));
    expect(kept.get(OWN, WAIT)).toMatchObject({ value: "token-1", header: ["authorization", "Bearer token-1"] });
    expect(state.asked).toBe(1);
  });

  // 60 s before its end, or a tenth of its life, but no less than a second.
  test.each([
    [3_600_000, 3_480_000, 3_540_000],
    [300_000, 240_000, 270_000],
    [5_000, 3_000, 4_000],
    [1_000, 500, 500],
    [0, 500, 500],
    [undefined, 240_000, 270_000],
  ])(
    "with a life of %s ms is replaced in the background from %s ms on, and waited for from %s ms on",
    async (lifeMs, refreshMs, usableMs) => {
      const { kept, state, value, hold, release } = open({ lifeMs });
      await value();
      state.nowMs = refreshMs - 1;
      await value();
      expect(state.asked).toBe(1);
      hold();
      if (refreshMs < usableMs) {
        state.nowMs = refreshMs;
        expect(kept.get(OWN, WAIT)).toMatchObject({ value: "token-1" });
        state.nowMs = usableMs - 1;
        expect(kept.get(OWN, WAIT)).toMatchObject({ value: "token-1" });
        expect(state.asked).toBe(2);
      }
      state.nowMs = usableMs;
      expect(kept.get(OWN, WAIT)).toBeInstanceOf(Promise);
      release();
      expect(await value()).toBe("token-2");
    },
  );

  test("is not kept longer than what it was made from", async () => {
    const { state, value } = open({ maxLifeMs: () => 20_000 });
    await value();
    state.nowMs = 19_000;
    expect(await value()).toBe("token-2");
  });

  test("that is over already is still good for those who waited for it", async () => {
    const { value } = open({ maxLifeMs: () => -5 });
    expect(await value()).toBe("token-1");
    expect(await value()).toBe("token-2");
  });
});

describe("a failure", () => {
  test.each(["unavailable", "misconfigured"] as const)(
    "%s is followed by pauses that grow, and then by another request",
    async (outcome) => {
      const { kept, state, value } = open();
      state.next = failure(outcome);
      const askedAt: number[] = [];
      for (let at = 0; at < 30_000; at += 50) {
        state.nowMs = at;
        const before = state.asked;
        expect(await value()).toBe(outcome);
        if (state.asked > before) askedAt.push(at);
      }
      expect(askedAt).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750, 25_750]);
      expect(kept.get(OWN, WAIT)).toMatchObject({ outcome, afterMs: 25_750 + 10_000 - 29_950 });
    },
  );

  test("leaves the old token in use until its end", async () => {
    const { state, value } = open();
    await value();
    state.next = failure("unavailable");
    state.nowMs = 599_999;
    expect(await value()).toBe("token-1");
    expect(await value()).toBe("token-1");
    expect(state.asked).toBe(2);
    state.nowMs = 600_000;
    expect(await value()).toBe("unavailable");
  });

  test("asks for the wait that the service wants", async () => {
    const { state, value } = open();
    state.next = failure("unavailable", 30_000);
    await value();
    state.nowMs = 29_999;
    await value();
    expect(state.asked).toBe(1);
    state.next = undefined;
    state.nowMs = 30_000;
    expect(await value()).toBe("token-2");
  });

  test("of a service that was not asked makes no pause longer", async () => {
    const { state, value } = open();
    state.next = { ...failure("unavailable", 100), isUnasked: true };
    for (let at = 0; at < 2_000; at += 100) {
      state.nowMs = at;
      expect(await value()).toBe("unavailable");
    }
    expect(state.asked).toBe(20);
    state.next = undefined;
    state.nowMs += 100;
    expect(await value()).toBe("token-21");
  });

  test("that refuses the caller takes the old token away, and is remembered for a moment", async () => {
    const { kept, state, value } = open();
    await value();
    state.next = failure("refused");
    state.nowMs = 500_000;
    await value();
    await Promise.resolve();
    expect(kept.current).toBeUndefined();
    expect(await value()).toBe("refused");
    expect(state.asked).toBe(2);
    state.nowMs += 5_000;
    state.next = undefined;
    expect(await value()).toBe("token-3");
  });
});

describe("a token that the upstream refuses", () => {
  test("is forgotten once for all calls that were sent with it", async () => {
    const { kept, state, value } = open();
    await value();
    const shown = kept.current;
    if (shown === undefined) throw new Error("no token");
    expect([kept.refuse(shown), kept.refuse(shown)]).toEqual([true, true]);
    expect(await value()).toBe("token-2");
    // One that is refused late does not take the new one away.
    expect(kept.refuse(shown)).toBe(true);
    expect(await value()).toBe("token-2");
    expect(state.asked).toBe(2);
  });

  test("is not replaced again and again", async () => {
    const { kept, state, value } = open();
    let renewed = 0;
    for (let at = 0; at < 60_000; at += 100) {
      state.nowMs = at;
      await value();
      if (kept.current !== undefined && kept.refuse(kept.current)) renewed += 1;
    }
    expect(renewed).toBe(12);
    expect(state.asked).toBe(13);
  });
});

describe("whoever waits", () => {
  test("leaves when it wants, and does not take the token from the others", async () => {
    const { kept, value, hold, release, tokenRequests } = open();
    hold();
    const leaving = new AbortController();
    const gone = kept.get(OWN, { ...WAIT, signal: leaving.signal });
    const late = kept.get(OWN, { timeoutMs: 1 });
    expect(tokenRequests[0]?.isWanted()).toBe(true);
    leaving.abort();
    expect([await gone, await late]).toEqual([ABORTED, TIMED_OUT]);
    expect(tokenRequests[0]?.isWanted()).toBe(false);
    const staying = value();
    expect(tokenRequests[0]?.isWanted()).toBe(true);
    release();
    expect(await staying).toBe("token-1");
  });
});

import { describe, expect, it } from "vitest";
import type { FaultDetails } from "../fault/build.ts";
import type { Fault } from "../fault/fault.ts";
import { KINDS, type Kind, type StatedKind } from "../fault/kinds.ts";
import { readFault } from "../fault/read-fault.ts";
import { fail } from "../reasons/fail.ts";
import { unrecognised } from "../reasons/library/core.ts";
import { decide, type RetrySituation } from "./decide.ts";

const failed = (kind: StatedKind, details: FaultDetails = {}): Fault => fail[kind](details)`It failed.`.fault;
const ask = (fault: Fault, more: Partial<RetrySituation> = {}) =>
  decide({ fault, attempts: 1, leftMs: Number.POSITIVE_INFINITY, repeatable: false, random: 0.5, ...more });
const why = (fault: Fault, more: Partial<RetrySituation> = {}) => {
  const decision = ask(fault, more);
  return decision.do === "stop" ? decision.why : decision.by;
};
const YES = { retry: { allowed: true } } as const;
const NO = { retry: { allowed: false } } as const;

/** What each kind leads to without the peer's word: for a call that must not be repeated, and for one that may. */
const BY_KIND = {
  invalid_input: ["final", "final"],
  invalid_request: ["final", "final"],
  unauthenticated: ["final", "final"],
  forbidden: ["final", "final"],
  approval_required: ["final", "final"],
  rate_limited: ["backoff", "backoff"],
  overloaded: ["backoff", "backoff"],
  timeout: ["unsafe", "backoff"],
  unavailable: ["unsafe", "backoff"],
  upstream_failed: ["unsafe", "backoff"],
  not_found: ["final", "final"],
  conflict: ["final", "final"],
  precondition_failed: ["final", "final"],
  unsupported: ["final", "final"],
  quota_exhausted: ["final", "final"],
  cancelled: ["final", "final"],
  internal: ["final", "final"],
  unknown: ["final", "final"],
} as const satisfies Record<Kind, readonly [string, string]>;

describe("every kind without advice of the peer", () => {
  it.each(Object.entries(BY_KIND))("%s", (kind, [plain, repeatable]) => {
    const fault = kind === "unknown" ? unrecognised.fault() : failed(kind as StatedKind);
    expect(why(fault)).toBe(plain);
    expect(why(fault, { repeatable: true })).toBe(repeatable);
  });
});

describe("rule 1: the peer forbids a retry", () => {
  it("ends the call in any case", () => {
    expect(ask(failed("rate_limited", NO), { repeatable: true })).toEqual({ do: "stop", why: "refused", rule: 1 });
  });
});

describe("rule 2: kinds and guesses", () => {
  it("retries a kind that is never retried if the peer allows it", () => {
    expect(why(failed("not_found", YES))).toBe("backoff");
    expect(ask(failed("not_found"))).toEqual({ do: "stop", why: "final", rule: 2 });
  });

  it("never retries on a guess, even if the guess allows it", () => {
    expect(ask(failed("rate_limited", { basis: "guessed" }))).toEqual({ do: "stop", why: "guessed", rule: 2 });
    expect(why(failed("rate_limited", { basis: "guessed", ...YES }), { repeatable: true })).toBe("guessed");
    expect(why(failed("rate_limited", { basis: "mapped" }))).toBe("backoff");
  });

  it.each([
    ["retryable", "backoff"],
    ["dependency", "backoff"],
    ["validation", "final"],
    ["permission", "final"],
    ["terminal", "final"],
  ])("uses the class %s of a kind that it does not know: %s", (group, expected) => {
    const raw = { v: 1, kind: "newer", class: group, reason: "peer/newer", message: "New.", effect: "none" };
    expect(why(readFault(raw) as Fault)).toBe(expected);
  });
});

describe("rule 3: effects", () => {
  it.each(["possible", "applied"] as const)(
    "of a call that was %s are not doubled, even if the peer allows it",
    (effect) => {
      expect(ask(failed("rate_limited", { effect, ...YES }))).toEqual({ do: "stop", why: "unsafe", rule: 3 });
      expect(why(failed("rate_limited", { effect, ...YES }), { repeatable: true })).toBe("backoff");
    },
  );
});

describe("rule 4: time", () => {
  const fault = failed("rate_limited", { retry: { allowed: true, afterMs: 1_000, jitter: 0 } });

  it("must be enough for the wait and an attempt", () => {
    expect(ask(fault, { leftMs: 1_100 })).toEqual({ do: "repeat", waitMs: 1_000, by: "peer" });
    expect(ask(fault, { leftMs: 1_099 })).toEqual({ do: "stop", why: "deadline", rule: 4, waitMs: 1_000 });
    expect(why(fault, { leftMs: 1_000, policy: { minAttemptMs: 0 } })).toBe("peer");
  });

  it.each([0, -5, Number.NaN, Number.NEGATIVE_INFINITY])("of %d ms is not enough", (leftMs) => {
    expect(why(failed("rate_limited"), { leftMs, random: 0 })).toBe("deadline");
  });

  it("is limited even without a deadline", () => {
    const hour = failed("rate_limited", { retry: { allowed: true, afterMs: 3_600_000, jitter: 0 } });
    expect(ask(hour)).toEqual({ do: "stop", why: "deadline", rule: 4, waitMs: 3_600_000 });
    expect(why(hour, { policy: { maxWaitMs: Number.POSITIVE_INFINITY } })).toBe("peer");
  });
});

describe("rule 5: attempts", () => {
  it("are three", () => {
    expect(why(failed("overloaded"), { attempts: 2 })).toBe("backoff");
    expect(ask(failed("overloaded"), { attempts: 3 })).toMatchObject({ do: "stop", why: "attempts", rule: 5 });
    expect(why(failed("overloaded"), { attempts: Number.NaN })).not.toBe("backoff");
  });

  it("are fewer if the peer says so, never more", () => {
    const most = (maxAttempts: number) => failed("overloaded", { retry: { allowed: true, maxAttempts } });
    expect(why(most(0))).toBe("attempts");
    expect(why(most(1))).toBe("backoff");
    expect(why(most(1), { attempts: 2 })).toBe("attempts");
    expect(why(most(9), { attempts: 3 })).toBe("attempts");
    expect(why(most(9), { attempts: 3, policy: { attempts: 4 } })).toBe("backoff");
  });
});

describe("reauthorization", () => {
  it("allows a retry of the kind that needs it, without a wait", () => {
    const repeated = { do: "repeat", waitMs: 0, by: "reauthorized" };
    expect(ask(failed("unauthenticated"), { reauthorized: "credentials" })).toEqual(repeated);
    expect(ask(failed("approval_required"), { reauthorized: "approval" })).toEqual(repeated);
  });

  it("allows a retry that the peer refused before", () => {
    expect(why(failed("unauthenticated", NO), { reauthorized: "credentials" })).toBe("reauthorized");
    expect(why(failed("unauthenticated", NO))).toBe("refused");
  });

  it("keeps a wait that the peer stated", () => {
    const fault = failed("unauthenticated", { retry: { allowed: true, afterMs: 500, jitter: 0 } });
    expect(ask(fault, { reauthorized: "credentials" })).toEqual({ do: "repeat", waitMs: 500, by: "reauthorized" });
  });

  it("allows nothing else", () => {
    expect(why(failed("unauthenticated"), { reauthorized: "approval" })).toBe("final");
    expect(why(failed("forbidden"), { reauthorized: "approval" })).toBe("final");
    expect(why(failed("overloaded", NO), { reauthorized: "credentials" })).toBe("refused");
    expect(why(failed("unauthenticated", { basis: "guessed" }), { reauthorized: "credentials" })).toBe("guessed");
    expect(why(failed("unauthenticated", { effect: "possible" }), { reauthorized: "credentials" })).toBe("unsafe");
    expect(why(failed("unauthenticated"), { reauthorized: "credentials", attempts: 3 })).toBe("attempts");
    expect(why(failed("unauthenticated"), { reauthorized: "credentials", leftMs: 50 })).toBe("deadline");
  });

  it("applies to two kinds only", () => {
    const kinds = Object.keys(KINDS).filter((kind) => kind !== "unknown") as StatedKind[];
    const lifted = kinds.filter((kind) =>
      (["credentials", "approval"] as const).some(
        (reauthorized) => why(failed(kind), { reauthorized }) === "reauthorized",
      ),
    );
    expect(lifted).toEqual(["unauthenticated", "approval_required"]);
  });
});

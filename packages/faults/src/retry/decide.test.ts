import { describe, expect, it } from "vitest";
import type { Details } from "../fault/build.ts";
import type { Fault } from "../fault/fault.ts";
import { KINDS, type Kind, type StatedKind } from "../fault/kinds.ts";
import { readFault } from "../fault/read.ts";
import { fail } from "../reasons/fail.ts";
import { unrecognised } from "../reasons/library/core.ts";
import { decide, type Situation } from "./decide.ts";

const failed = (kind: StatedKind, details: Details = {}): Fault => fail[kind](details)`It failed.`.fault;
const ask = (fault: Fault, more: Partial<Situation> = {}) =>
  decide({ fault, attempts: 1, leftMs: Number.POSITIVE_INFINITY, repeatable: false, random: 0.5, ...more });
const why = (fault: Fault, more: Partial<Situation> = {}) => {
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

describe("every kind without the peer's word", () => {
  it.each(Object.entries(BY_KIND))("%s", (kind, [plain, repeatable]) => {
    const fault = kind === "unknown" ? unrecognised.fault() : failed(kind as StatedKind);
    expect(why(fault)).toBe(plain);
    expect(why(fault, { repeatable: true })).toBe(repeatable);
  });
});

describe("rule 1: the peer's no", () => {
  it("ends it, whatever else speaks for going on", () => {
    expect(ask(failed("rate_limited", NO), { repeatable: true })).toEqual({ do: "stop", why: "told", rule: 1 });
  });
});

describe("rule 2: kinds and guesses", () => {
  it("lets the peer's yes lift a kind that does not repeat", () => {
    expect(why(failed("not_found", YES))).toBe("backoff");
    expect(ask(failed("not_found"))).toEqual({ do: "stop", why: "final", rule: 2 });
  });

  it("repeats nothing on a guess, even where the guess is a yes", () => {
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
  ])("reads the class %s of a kind that it does not know: %s", (group, expected) => {
    const raw = { v: 1, kind: "newer", class: group, reason: "peer/newer", message: "New.", effect: "none" };
    expect(why(readFault(raw) as Fault)).toBe(expected);
  });
});

describe("rule 3: effects", () => {
  it.each(["possible", "applied"] as const)(
    "of a call that was %s are not doubled, whatever the peer says",
    (effect) => {
      expect(ask(failed("rate_limited", { effect, ...YES }))).toEqual({ do: "stop", why: "unsafe", rule: 3 });
      expect(why(failed("rate_limited", { effect, ...YES }), { repeatable: true })).toBe("backoff");
    },
  );
});

describe("rule 4: time", () => {
  const fault = failed("rate_limited", { retry: { allowed: true, afterMs: 1_000, jitter: 0 } });

  it("must hold the wait and an attempt", () => {
    expect(ask(fault, { leftMs: 1_100 })).toEqual({ do: "repeat", waitMs: 1_000, by: "peer" });
    expect(ask(fault, { leftMs: 1_099 })).toEqual({ do: "stop", why: "deadline", rule: 4, waitMs: 1_000 });
    expect(why(fault, { leftMs: 1_000, policy: { roomMs: 0 } })).toBe("peer");
  });

  it.each([0, -5, Number.NaN, Number.NEGATIVE_INFINITY])("that is %d ms holds nothing", (leftMs) => {
    expect(why(failed("rate_limited"), { leftMs, random: 0 })).toBe("deadline");
  });

  it("without a deadline is not endless either", () => {
    const hour = failed("rate_limited", { retry: { allowed: true, afterMs: 3_600_000, jitter: 0 } });
    expect(ask(hour)).toEqual({ do: "stop", why: "deadline", rule: 4, waitMs: 3_600_000 });
    expect(why(hour, { policy: { patienceMs: Number.POSITIVE_INFINITY } })).toBe("peer");
  });
});

describe("rule 5: attempts", () => {
  it("are three", () => {
    expect(why(failed("overloaded"), { attempts: 2 })).toBe("backoff");
    expect(ask(failed("overloaded"), { attempts: 3 })).toMatchObject({ do: "stop", why: "attempts", rule: 5 });
    expect(why(failed("overloaded"), { attempts: Number.NaN })).not.toBe("backoff");
  });

  it("are fewer where the peer says so, never more", () => {
    const most = (maxAttempts: number) => failed("overloaded", { retry: { allowed: true, maxAttempts } });
    expect(why(most(0))).toBe("attempts");
    expect(why(most(1))).toBe("backoff");
    expect(why(most(1), { attempts: 2 })).toBe("attempts");
    expect(why(most(9), { attempts: 3 })).toBe("attempts");
    expect(why(most(9), { attempts: 3, policy: { attempts: 4 } })).toBe("backoff");
  });
});

describe("a renewal", () => {
  it("lifts the kind that waits for it, without a wait", () => {
    const renewed = { do: "repeat", waitMs: 0, by: "renewed" };
    expect(ask(failed("unauthenticated"), { renewed: "credentials" })).toEqual(renewed);
    expect(ask(failed("approval_required"), { renewed: "approval" })).toEqual(renewed);
  });

  it("lifts the peer's no, which was about the call as it was", () => {
    expect(why(failed("unauthenticated", NO), { renewed: "credentials" })).toBe("renewed");
    expect(why(failed("unauthenticated", NO))).toBe("told");
  });

  it("keeps a wait that the peer named", () => {
    const fault = failed("unauthenticated", { retry: { allowed: true, afterMs: 500, jitter: 0 } });
    expect(ask(fault, { renewed: "credentials" })).toEqual({ do: "repeat", waitMs: 500, by: "renewed" });
  });

  it("lifts nothing else", () => {
    expect(why(failed("unauthenticated"), { renewed: "approval" })).toBe("final");
    expect(why(failed("forbidden"), { renewed: "approval" })).toBe("final");
    expect(why(failed("overloaded", NO), { renewed: "credentials" })).toBe("told");
    expect(why(failed("unauthenticated", { basis: "guessed" }), { renewed: "credentials" })).toBe("guessed");
    expect(why(failed("unauthenticated", { effect: "possible" }), { renewed: "credentials" })).toBe("unsafe");
    expect(why(failed("unauthenticated"), { renewed: "credentials", attempts: 3 })).toBe("attempts");
    expect(why(failed("unauthenticated"), { renewed: "credentials", leftMs: 50 })).toBe("deadline");
  });

  it("is waited for by two kinds alone", () => {
    const kinds = Object.keys(KINDS).filter((kind) => kind !== "unknown") as StatedKind[];
    const lifted = kinds.filter((kind) =>
      (["credentials", "approval"] as const).some((renewed) => why(failed(kind), { renewed }) === "renewed"),
    );
    expect(lifted).toEqual(["unauthenticated", "approval_required"]);
  });
});

import { describe, expect, it } from "vitest";
import type { FaultDetails } from "../fault/build.ts";
import type { Fault } from "../fault/fault.ts";
import { KINDS, type Kind, type StatedKind } from "../fault/kinds.ts";
import { readFault } from "../fault/read.ts";
import { fail } from "../reasons/fail.ts";
import { unrecognised } from "../reasons/library/core.ts";
import { breaker_open, connection_lost, not_connected, not_sent, unreachable } from "../reasons/library/transport.ts";
import { render } from "../render/render.ts";
import {
  type CallProgress,
  concludeFault,
  decide,
  finalFault,
  type RetrySituation,
  type StopReason,
  stopFor,
  wasNotSent,
} from "./decide.ts";

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

  it("retries on a guess only what is safe to repeat, even if the guess allows it", () => {
    expect(ask(failed("rate_limited", { basis: "guessed" }))).toEqual({ do: "stop", why: "guessed", rule: 2 });
    expect(why(failed("rate_limited", { basis: "guessed", ...YES }))).toBe("guessed");
    expect(why(failed("rate_limited", { basis: "guessed" }), { repeatable: true })).toBe("backoff");
    expect(why(failed("rate_limited", { basis: "mapped" }))).toBe("backoff");
  });

  it.each(["invalid_input", "unauthenticated", "forbidden", "not_found", "conflict", "internal"] as const)(
    "never retries on the guess that a call is %s, even if it is safe to repeat and the guess allows it",
    (kind) => {
      expect(why(failed(kind, { basis: "guessed", ...YES }), { repeatable: true })).toBe("guessed");
    },
  );

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
  it.each([0, -5, Number.NaN, Number.NEGATIVE_INFINITY])("of %d ms is not enough", (leftMs) => {
    expect(why(failed("rate_limited"), { leftMs, random: 0 })).toBe("deadline");
  });
});

describe("reauthorization", () => {
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

const busy = fail.overloaded({ afterMs: 500 })`Busy.`.fault;
const tried = { attempts: 3, elapsedMs: 700, stopped: "attempts" } as const;

describe("the fault of a whole call", () => {
  it("is the last failure with what was tried, frozen and readable", () => {
    const fault = concludeFault(busy, { tried });
    expect(fault).toEqual({ ...busy, tried });
    expect(Object.isFrozen(fault) && Object.isFrozen(fault.recourse)).toBe(true);
    expect(readFault(JSON.parse(JSON.stringify(fault)))).toEqual(fault);
    expect(busy).not.toHaveProperty("tried");
  });

  it("keeps what the peer tried if nothing else was tried", () => {
    const concluded = concludeFault(busy, { tried });
    expect(concludeFault(concluded, {}).tried).toEqual(tried);
  });

  it("takes the worst effect, and its moves follow", () => {
    expect(concludeFault(busy, { effect: "possible" })).toMatchObject({
      effect: "possible",
      recourse: [{ do: "refresh" }],
    });
    expect(concludeFault(busy, { effect: "possible", repeatable: true }).recourse).toEqual([
      { do: "retry", afterMs: 500 },
    ]);
    expect(concludeFault(fail.timeout`Late.`.fault, { effect: "none" }).effect).toBe("possible");
  });

  it("drops `retry` if the peer forbids it", () => {
    const odd = { ...busy, retry: { allowed: false } };
    expect(odd.recourse).toEqual([{ do: "retry", afterMs: 500 }]);
    expect(concludeFault(odd, {}).recourse).toEqual([{ do: "stop" }]);
    expect(readFault(odd)?.recourse).toEqual([{ do: "stop" }]);
  });

  it("shows a wait that is longer than the stated one", () => {
    expect(concludeFault(busy, { waitMs: 900 }).recourse).toEqual([{ do: "retry", afterMs: 900 }]);
    expect(concludeFault(busy, { waitMs: 100 }).recourse).toEqual([{ do: "retry", afterMs: 500 }]);
    expect(concludeFault(fail.conflict`Taken.`.fault, { waitMs: 900 }).recourse).toEqual([{ do: "refresh" }]);
  });
});

const progress = (last: Fault | undefined, more: Partial<CallProgress> = {}): CallProgress => ({
  last,
  isFirst: true,
  attempts: last === undefined ? 0 : 1,
  elapsedMs: 40,
  effect: last?.effect ?? "none",
  repeatable: false,
  ...more,
});
const end = (why: StopReason, of: CallProgress, waitMs?: number) => finalFault(stopFor(why, waitMs), of);
const modelText = (fault: Fault) => render(fault, { for: "model" });

const late = fail.timeout`No answer came.`.fault;
const limited = fail.rate_limited({ retry: { allowed: true, afterMs: 90_000 } })`Too many calls.`.fault;

describe("the end of a call", () => {
  it.each(["refused", "final", "guessed"] as const)("that the first failure decides is that failure: %s", (why) => {
    expect(end(why, progress(late))).toEqual(late);
    expect(end(why, progress(late, { isFirst: false, attempts: 2 })).tried).toEqual({
      attempts: 2,
      elapsedMs: 40,
      stopped: why,
    });
  });

  it("warns when it may have had an effect", () => {
    const fault = end("unsafe", progress(late));
    expect(fault.tried).toEqual({ attempts: 1, elapsedMs: 40, stopped: "unsafe" });
    expect(modelText(fault)).toBe(
      "No answer came. The call may have taken effect. Check the current state before repeating the call.",
    );
  });

  it("shows the wait that did not fit, and does not invite the model to start over", () => {
    const fault = end("deadline", progress(limited), 95_000);
    expect(fault.recourse).toEqual([{ do: "retry", afterMs: 95_000 }]);
    expect(modelText(fault)).toBe("Too many calls. Wait 95 seconds before calling again.");
  });

  it.each(["attempts", "budget", "breaker"] as const)("keeps the last failure and says why it stopped: %s", (why) => {
    const fault = end(why, progress(limited, { attempts: 3 }), 10);
    expect(fault).toEqual({ ...limited, tried: { attempts: 3, elapsedMs: 40, stopped: why } });
    const advice = why === "breaker" ? "Wait 90 seconds before" : "Report the failure instead of";
    expect(modelText(fault)).toBe(`Too many calls. The call was tried 3 times. ${advice} calling again.`);
  });

  it("that the breaker refused says when to retry", () => {
    const fault = end("breaker", progress(undefined), 2_000);
    expect(fault).toMatchObject({
      reason: "transport/breaker_open",
      effect: "none",
      recourse: [{ do: "retry", afterMs: 2_000 }],
      origin: { layer: "client" },
      tried: { attempts: 0, stopped: "breaker" },
    });
    expect(modelText(fault)).toContain("this call was not sent. Repeat this call in 2 seconds.");
  });

  it("that had no time is a timeout without an effect", () => {
    const fault = end("deadline", progress(undefined));
    expect(modelText(fault)).toBe("The time for this call was over before it was sent. Repeat this call in a moment.");
    expect(fault).toMatchObject({
      reason: "transport/not_sent",
      effect: "none",
      origin: { layer: "client" },
      tried: { attempts: 0, stopped: "deadline" },
    });
  });

  it("that was aborted is a cancellation with the known effect and the last failure", () => {
    expect(end("aborted", progress(undefined))).toMatchObject({
      reason: "core/cancelled",
      effect: "none",
      recourse: [{ do: "stop" }],
      origin: { layer: "client" },
      tried: { attempts: 0, elapsedMs: 40, stopped: "aborted" },
    });
    const fault = end("aborted", progress(late));
    expect(fault).toMatchObject({ reason: "core/cancelled", effect: "possible", cause: late });
    expect(modelText(fault)).toContain("The call may have taken effect, so do not repeat it.");
  });
});

describe("a call that was not sent", () => {
  it.each([unreachable, not_connected, not_sent, breaker_open])("is told by $id", (reason) => {
    expect(wasNotSent(reason.fault({}))).toBe(true);
    // An earlier attempt, or a hop behind it, may have had an effect.
    expect(wasNotSent(reason.fault({}, { effect: "possible" }))).toBe(false);
  });

  it("is not told by a failure after it was sent", () => {
    expect(wasNotSent(connection_lost.fault())).toBe(false);
    expect(wasNotSent(limited)).toBe(false);
  });
});

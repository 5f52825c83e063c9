import { describe, expect, it } from "vitest";
import { worseEffect } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { readFault } from "../fault/read-fault.ts";
import { fail } from "../reasons/fail.ts";
import { breaker_open, connection_lost, not_connected, not_sent, unreachable } from "../reasons/library/transport.ts";
import { render } from "../render/render.ts";
import { type CallProgress, concludeFault, finalFault, wasNotSent } from "./conclude.ts";
import { type StopReason, stopFor } from "./decide.ts";

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

  it("counts whole milliseconds", () => {
    expect(concludeFault(busy, { tried: { ...tried, elapsedMs: 1.2 } }).tried?.elapsedMs).toBe(2);
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

describe("the worse effect", () => {
  it.each([
    ["none", "none", "none"],
    ["none", "possible", "possible"],
    ["applied", "possible", "applied"],
    ["possible", "applied", "applied"],
  ] as const)("of %s and %s is %s", (one, other, both) => {
    expect(worseEffect(one, other)).toBe(both);
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

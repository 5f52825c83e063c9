import { describe, expect, it } from "vitest";
import type { Fault } from "../fault/fault.ts";
import { fail } from "../reasons/fail.ts";
import { render } from "../render/render.ts";
import { type Stopped, stopFor } from "./decide.ts";
import { type Course, endingOf } from "./ending.ts";

const course = (last: Fault | undefined, more: Partial<Course> = {}): Course => ({
  last,
  attempts: last === undefined ? 0 : 1,
  elapsedMs: 40,
  effect: last?.effect ?? "none",
  repeatable: false,
  ...more,
});
const end = (why: Stopped, of: Course, waitMs?: number) => endingOf(stopFor(why, waitMs), of);
const told = (fault: Fault) => render(fault, { for: "model" });

const late = fail.timeout`No answer came.`.fault;
const busy = fail.rate_limited({ retry: { allowed: true, afterMs: 90_000 } })`Too many calls.`.fault;

describe("the end of a call", () => {
  it.each(["told", "final", "guessed"] as const)("that the first failure alone decides is that failure: %s", (why) => {
    expect(end(why, course(late))).toEqual(late);
    expect(end(why, course(late, { attempts: 2 })).tried).toEqual({ attempts: 2, elapsedMs: 40, stopped: why });
  });

  it("warns when it may have had an effect", () => {
    const fault = end("unsafe", course(late));
    expect(fault.tried).toEqual({ attempts: 1, elapsedMs: 40, stopped: "unsafe" });
    expect(told(fault)).toBe(
      "No answer came. It may have taken effect. Look at the current state before repeating it. It was tried once in 40 ms; do not start over. [timeout adhoc/timeout]",
    );
  });

  it("tells the wait that did not fit, and does not invite to start over", () => {
    const fault = end("deadline", course(busy), 95_000);
    expect(fault.recourse).toEqual([{ do: "retry", afterMs: 95_000 }]);
    expect(told(fault)).toBe(
      "Too many calls. It may succeed after 95 s. It was tried once in 40 ms; do not start over. [rate_limited adhoc/rate_limited]",
    );
  });

  it.each(["attempts", "budget", "breaker"] as const)("keeps the last failure and says why it stopped: %s", (why) => {
    const fault = end(why, course(busy, { attempts: 3 }), 10);
    expect(fault).toEqual({ ...busy, tried: { attempts: 3, elapsedMs: 40, stopped: why } });
    expect(told(fault)).toContain("It was tried 3 times in 40 ms; do not start over.");
  });

  it("that was refused by the breaker says when to come back", () => {
    const fault = end("breaker", course(undefined), 2_000);
    expect(fault).toMatchObject({
      reason: "transport/breaker_open",
      effect: "none",
      recourse: [{ do: "retry", afterMs: 2_000 }],
      origin: { layer: "client" },
      tried: { attempts: 0, stopped: "breaker" },
    });
    expect(told(fault)).toContain("this one was not sent. The same call may be repeated after 2 s.");
  });

  it("that had no time is a timeout without an effect", () => {
    expect(end("deadline", course(undefined))).toMatchObject({
      reason: "core/timeout",
      effect: "none",
      origin: { layer: "client" },
      tried: { attempts: 0, stopped: "deadline" },
    });
  });

  it("that was aborted is a cancellation with what is known of the effect, and the failure behind it", () => {
    expect(end("aborted", course(undefined))).toMatchObject({
      reason: "core/cancelled",
      effect: "none",
      recourse: [{ do: "stop" }],
      origin: { layer: "client" },
      tried: { attempts: 0, elapsedMs: 40, stopped: "aborted" },
    });
    const fault = end("aborted", course(late));
    expect(fault).toMatchObject({ reason: "core/cancelled", effect: "possible", cause: late });
    expect(told(fault)).toContain("Do not repeat this call; it may have taken effect.");
  });
});

import { rowsOf } from "@recourse/test-kit/rows";
import { describe, expect, it } from "vitest";
import type { FaultDetails } from "../fault/build.ts";
import type { Recourse, Tried } from "../fault/fault.ts";
import { type Effect, MOVES } from "../fault/kinds.ts";
import { fail } from "../reasons/fail.ts";
import { not_found as prompt_not_found } from "../reasons/library/prompt.ts";
import { not_found as resource_not_found } from "../reasons/library/resource.ts";
import { not_found as tool_not_found } from "../reasons/library/tool.ts";
import { describeNextMoves, describeNextMovesAfter } from "./next-move.ts";

const next = (recourse: readonly Recourse[], effect: Effect = "none", more: FaultDetails = {}) =>
  describeNextMoves(fail.conflict({ recourse, effect, ...more })`Taken.`.fault);

describe("the next move", () => {
  it.each(rowsOf<[move: Recourse, sentence: string]>(import.meta.url, "moves"))("%j reads: %s", (move, sentence) => {
    // The moves that are described have the names of arguments in place of pointers.
    expect(describeNextMoves({ ...fail.conflict`Taken.`.fault, recourse: [move] })).toBe(sentence);
  });

  it("names what the library looked for", () => {
    const recourse = [{ do: "choose_another", candidates: ["search"] }] as const;
    expect(describeNextMoves(tool_not_found.fault({}, { recourse }))).toBe('Did you mean "search"?');
    expect(describeNextMoves(tool_not_found.fault())).toBe("Use another tool.");
    expect(describeNextMoves(prompt_not_found.fault())).toBe("Use another prompt.");
    expect(describeNextMoves(resource_not_found.fault())).toBe("Use another resource.");
    expect(describeNextMoves(fail.unsupported`No.`.fault)).toBe("Use another tool or operation.");
  });

  it("does not repeat candidates that the message lists", () => {
    const recourse = [{ do: "choose_another", candidates: ["red", "blue"] }] as const;
    const { fault } = fail.not_found({ recourse })`Colours are ${"red"} and ${"blue"}.`;
    expect(describeNextMoves(fault)).toBe("Use a value from that list.");
    expect(describeNextMoves(fail.not_found({ recourse })`One is ${"red"}.`.fault)).toBe(
      'Use "red" or "blue" instead.',
    );
  });

  it.each<[Recourse, string]>([
    [{ do: "refresh" }, "The call EFFECT. Check the current state before repeating the call."],
    [
      { do: "refresh", tool: "list" },
      'The call EFFECT. Call "list" to check the current state before repeating the call.',
    ],
    [{ do: "stop" }, "The call EFFECT, so do not repeat it."],
    [{ do: "fix_input" }, "The call EFFECT. Correct the arguments and call again."],
    [{ do: "choose_another" }, "The call EFFECT. Call again with a different name or id."],
    [{ do: "do_first" }, "The call EFFECT. Resolve that first, then call again."],
    [{ do: "ask_user" }, "The call EFFECT. Ask the user what to do; the same call will fail again."],
    [{ do: "authenticate" }, "The call EFFECT. Ask the user to sign in again, then repeat this call."],
  ])("%j names an effect that is possible, and one that is certain", (move, sentence) => {
    expect(next([move], "possible")).toBe(sentence.replace("EFFECT", "may have taken effect"));
    expect(next([move], "applied")).toBe(sentence.replace("EFFECT", "has taken effect"));
  });
});

describe("the second move", () => {
  it.each<[Recourse, string]>([
    [{ do: "ask_user" }, " If that fails, ask the user."],
    [
      { do: "ask_user", link: "https://example.com" },
      " If that fails, ask the user to open https://example.com to continue.",
    ],
    [{ do: "do_first", tool: "open" }, ' If that fails, call "open" first.'],
    [{ do: "refresh", tool: "list" }, ' If that fails, call "list" to check the current state.'],
    [{ do: "choose_another", candidates: ["a", "b"] }, ' If that fails, use "a" or "b".'],
    [{ do: "refresh" }, ""],
    [{ do: "do_first" }, ""],
    [{ do: "choose_another" }, ""],
    [{ do: "fix_input" }, ""],
    [{ do: "stop" }, ""],
  ])("%j is described where it adds something: %s", (move, sentence) => {
    expect(next([{ do: "retry" }, move, { do: "ask_user" }])).toBe(`Repeat this call in a moment.${sentence}`);
  });
});

describe("after attempts", () => {
  const afterAttempts = (tried: Tried, move: Recourse, effect: Effect = "none") => next([move], effect, { tried });

  it.each<[Tried["stopped"], string]>([
    ["attempts", "Report the failure instead of calling again."],
    ["budget", "Report the failure instead of calling again."],
    ["deadline", "Wait 30 seconds before calling again."],
    ["breaker", "Wait 30 seconds before calling again."],
  ])("that ended because of %s, a retry is not offered at once", (stopped, sentence) => {
    const tried = { attempts: 3, elapsedMs: 7_400, stopped };
    expect(afterAttempts(tried, { do: "retry", afterMs: 30_000 })).toBe(
      `The call was tried 3 times in 7.4 seconds. ${sentence}`,
    );
  });

  it("that used up the time, the failure is reported", () => {
    const tried = { attempts: 2, elapsedMs: 60_000, stopped: "deadline" } as const;
    expect(afterAttempts(tried, { do: "retry", afterMs: 900 })).toBe(
      "The call was tried 2 times in 1 minute. Report the failure instead of calling again.",
    );
  });

  it("a call that was never sent was not tried", () => {
    const tried = { attempts: 0, elapsedMs: 5, stopped: "breaker" } as const;
    expect(afterAttempts(tried, { do: "retry", afterMs: 2_000 })).toBe("Repeat this call in 2 seconds.");
    expect(afterAttempts({ ...tried, stopped: "attempts" }, { do: "retry", afterMs: 2_000 })).toBe(
      "Repeat this call in 2 seconds.",
    );
    expect(afterAttempts({ ...tried, stopped: "attempts" }, { do: "retry" })).toBe(
      "Report the failure instead of calling again.",
    );
  });
});

describe("a wait before looking", () => {
  const wait = { retry: { allowed: true, afterMs: 30_000 } } as const;

  it("is said with an effect and without one", () => {
    const look = [{ do: "refresh" }] as const;
    expect(next(look, "possible", wait)).toBe(
      "The call may have taken effect. Wait 30 seconds, then check the current state before repeating the call.",
    );
    expect(next(look, "none", wait)).toBe("Wait 30 seconds, check the current state, then decide again.");
  });
});

describe("behind a message that says what to do", () => {
  const SAYS = "It is gone. Call list_orders first.";
  const behind = (recourse: readonly Recourse[], effect: Effect = "none", more: FaultDetails = {}) =>
    describeNextMovesAfter(SAYS, fail.conflict({ recourse, effect, ...more })`Taken.`.fault);

  it.each(MOVES)("no move of ours stands, unless it keeps from harm: %s", (move) => {
    expect(behind([{ do: move }, { do: "ask_user" }])).toBe("");
  });

  it.each<[Recourse, string]>([
    [{ do: "refresh" }, "The call may have taken effect, so check before repeating it."],
    [{ do: "stop" }, "The call may have taken effect, so do not repeat it."],
    [{ do: "choose_another" }, "The call may have taken effect."],
    [{ do: "do_first" }, "The call may have taken effect."],
  ])("%j still says what may have happened", (move, sentence) => {
    expect(behind([move], "possible")).toBe(sentence);
    expect(behind([move], "applied")).toBe(sentence.replace("may have", "has"));
  });

  it("forbids to repeat where the service does", () => {
    expect(behind([{ do: "refresh" }], "possible", { retry: { allowed: false } })).toBe(
      "The call may have taken effect, so check instead of repeating it.",
    );
  });

  it("says a wait that the message does not say", () => {
    const wait = { retry: { allowed: true, afterMs: 30_000 } } as const;
    const said = fail.overloaded(wait)`It is busy. Try again in ${30} seconds.`.fault;
    const unsaid = fail.overloaded(wait)`It is busy. Call list_orders instead.`.fault;
    expect(describeNextMovesAfter(said.message, said)).toBe("");
    expect(describeNextMovesAfter(unsaid.message, unsaid)).toBe("Wait 30 seconds before calling again.");
  });

  it("does not start over after a client gave up", () => {
    const { fault } = fail.overloaded`It is busy. Try again later.`;
    const tried: Tried = { attempts: 3, elapsedMs: 100, stopped: "attempts" };
    expect(describeNextMovesAfter(fault.message, { ...fault, tried })).toBe(
      "The call was tried 3 times. Report the failure instead of calling again.",
    );
    const budget: Tried = { attempts: 1, elapsedMs: 100, stopped: "budget" };
    expect(describeNextMovesAfter(fault.message, { ...fault, tried: budget })).toBe(
      "Report the failure instead of calling again.",
    );
  });
});

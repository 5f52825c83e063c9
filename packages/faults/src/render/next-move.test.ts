import { describe, expect, it } from "vitest";
import type { FaultDetails } from "../fault/build.ts";
import type { Recourse, Tried } from "../fault/fault.ts";
import type { Effect } from "../fault/kinds.ts";
import { fail } from "../reasons/fail.ts";
import { describeNextMoves, describeTried } from "./next-move.ts";

const next = (recourse: readonly Recourse[], effect: Effect = "none", more: FaultDetails = {}) =>
  describeNextMoves(fail.conflict({ recourse, effect, ...more })`Taken.`.fault);

describe("the next move", () => {
  it.each<[Recourse, string]>([
    [{ do: "retry" }, "The same call may be repeated after a short wait."],
    [{ do: "retry", afterMs: 0 }, "The same call may be repeated after a short wait."],
    [{ do: "retry", afterMs: 1 }, "The same call may be repeated after 1 ms."],
    [{ do: "retry", afterMs: 90_000 }, "The same call may be repeated after 90 s."],
    [{ do: "authenticate" }, "New credentials are needed before the call is repeated."],
    [{ do: "fix_input" }, "Correct the arguments and call again."],
    [{ do: "fix_input", fields: [""] }, "Correct the arguments and call again."],
    [{ do: "fix_input", fields: ["/a"] }, "Correct /a and call again."],
    [{ do: "fix_input", fields: ["", "/a", "/b/0"] }, "Correct /a, /b/0 and call again."],
    [{ do: "choose_another" }, "Choose another one; the same call will fail again."],
    [{ do: "choose_another", candidates: ["red"] }, 'Choose another one, such as "red".'],
    [{ do: "choose_another", candidates: ["red", 'the "blue"'] }, `Choose another one, such as "red", "the 'blue'".`],
    [{ do: "refresh" }, "Look at the current state and decide anew."],
    [{ do: "refresh", tool: "list" }, 'Call "list" to see the current state and decide anew.'],
    [{ do: "do_first" }, "Do first what is missing, then call again."],
    [{ do: "do_first", tool: "open" }, 'Call "open" first, then call again.'],
    [{ do: "ask_user" }, "Ask the user; the call cannot succeed without a person."],
    [{ do: "stop" }, "Do not repeat this call."],
  ])("%j reads: %s", (move, sentence) => {
    expect(next([move])).toBe(sentence);
  });

  it("names the link that a person has to open", () => {
    const link = "https://example.com/approve";
    expect(next([{ do: "ask_user", link }])).toBe("Ask the user to open https://example.com/approve");
  });

  it.each<[Recourse, string, string]>([
    [
      { do: "refresh" },
      "It may have taken effect. Look at the current state before repeating it.",
      "It has taken effect. Look at the current state before repeating it.",
    ],
    [
      { do: "refresh", tool: "list" },
      'It may have taken effect. Call "list" to see the current state before repeating it.',
      'It has taken effect. Call "list" to see the current state before repeating it.',
    ],
    [
      { do: "stop" },
      "Do not repeat this call; it may have taken effect.",
      "Do not repeat this call; it has taken effect.",
    ],
    [
      { do: "fix_input" },
      "It may have taken effect. Correct the arguments and call again.",
      "It has taken effect. Correct the arguments and call again.",
    ],
    [
      { do: "choose_another" },
      "It may have taken effect. Choose another one; the same call will fail again.",
      "It has taken effect. Choose another one; the same call will fail again.",
    ],
    [
      { do: "do_first" },
      "It may have taken effect. Do first what is missing, then call again.",
      "It has taken effect. Do first what is missing, then call again.",
    ],
    [
      { do: "ask_user" },
      "It may have taken effect. Ask the user; the call cannot succeed without a person.",
      "It has taken effect. Ask the user; the call cannot succeed without a person.",
    ],
    [
      { do: "authenticate" },
      "It may have taken effect. New credentials are needed before the call is repeated.",
      "It has taken effect. New credentials are needed before the call is repeated.",
    ],
  ])("%j names an effect that is possible, and one that is certain", (move, possible, applied) => {
    expect(next([move], "possible")).toBe(possible);
    expect(next([move], "applied")).toBe(applied);
  });

  it("does not mention an effect if the call may be repeated", () => {
    expect(next([{ do: "retry" }], "possible", { repeatable: true })).toBe(
      "The same call may be repeated after a short wait.",
    );
  });

  it("describes the second move unless it is stop, and never the third", () => {
    expect(next([{ do: "retry" }, { do: "ask_user" }, { do: "refresh" }])).toBe(
      "The same call may be repeated after a short wait. Otherwise: ask the user; the call cannot succeed without a person.",
    );
    expect(next([{ do: "refresh" }, { do: "stop" }])).toBe("Look at the current state and decide anew.");
    expect(next([{ do: "refresh" }, { do: "do_first", tool: "open" }], "applied")).toBe(
      'It has taken effect. Look at the current state before repeating it. Otherwise: call "open" first, then call again.',
    );
  });
});

describe("the next move after others", () => {
  it("does not invite more attempts once an engine has stopped", () => {
    const tried = { attempts: 3, elapsedMs: 10, stopped: "attempts" } as const;
    expect(next([{ do: "retry", afterMs: 30_000 }], "none", { tried })).toBe("It may succeed after 30 s.");
    expect(next([{ do: "retry" }], "none", { tried })).toBe("It may succeed after a short wait.");
  });

  it("does not suggest a retry that the peer forbids", () => {
    expect(next([{ do: "refresh" }], "possible", { retry: { allowed: false } })).toBe(
      "It may have taken effect. Look at the current state; do not repeat the call.",
    );
  });
});

describe("what was tried", () => {
  const tried = (of?: Tried) => describeTried(fail.timeout(of === undefined ? {} : { tried: of })`Late.`.fault);

  it.each([
    [1, 0, "It was tried once in 0 ms; do not start over."],
    [2, 1_500, "It was tried 2 times in 1.5 s; do not start over."],
    [3, 120_000, "It was tried 3 times in 2 min; do not start over."],
    [0, 5, ""],
  ])("%d attempts in %d ms", (attempts, elapsedMs, sentence) => {
    expect(tried({ attempts, elapsedMs, stopped: "attempts" })).toBe(sentence);
  });

  it("is empty if nothing was tried", () => {
    expect(tried()).toBe("");
  });
});

import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Authored, buildFault } from "../../src/fault/build.ts";
import { EFFECTS, MOVES } from "../../src/fault/kinds.ts";
import { readOwnFault } from "../../src/fault/read.ts";
import { type Fault, render } from "../../src/index.ts";
import * as any from "../arbitraries.ts";

// A fault rendered for a model has at most 480 characters, apart from lines about issues.

const MAX_LENGTH = 480;
const forModel = (fault: Fault) => render(fault, { for: "model" });

const textOf = (length: number) =>
  "so "
    .repeat(length)
    .slice(0, length - 1)
    .concat("o");
const names = Array.from({ length: 10 }, (_, index) => `${index} ${textOf(62)}`);
const fields = Array.from(
  { length: 10 },
  (_, index) => `/f${index}/${"a".repeat(60)}/${"b".repeat(60)}/${"c".repeat(60)}`,
);

/** A fault in which every part is as long as possible. */
function longestFault(move: (typeof MOVES)[number], effect: (typeof EFFECTS)[number], sentence: string): Fault {
  const full = {
    do: move,
    afterMs: 86_399_999,
    fields,
    candidates: names,
    tool: textOf(64),
    approval: textOf(64),
    link: `/${"s".repeat(255)}`,
  };
  const fault = buildFault({
    kind: "precondition_failed",
    reason: `a${"b".repeat(39)}/c${"d".repeat(59)}`,
    message: sentence as Authored,
    effect,
    repeatable: true,
    quote: { text: textOf(500), from: "upstream" },
    recourse: [full, { ...full, do: "refresh" }, full],
    origin: { layer: "upstream", name: textOf(64) },
    tried: { attempts: Number.MAX_SAFE_INTEGER, elapsedMs: Number.MAX_SAFE_INTEGER, stopped: "attempts" },
    limits: [{ policy: textOf(64) }],
    requestId: "9".repeat(64),
  });
  return { ...fault, kind: `k${"e".repeat(39)}`, incident: "7ZZZZZZZZZZZZZZZZZZZZZZZZZ" };
}

describe("the text for a model", () => {
  it("fits for any fault", () => {
    fc.assert(
      fc.property(any.fault, (fault) => {
        const [line, ...issues] = forModel(fault).split("\n");
        expect(line?.length).toBeLessThanOrEqual(MAX_LENGTH);
        // Few and short issues stand in the sentence.
        expect([0, fault.issues?.length ?? 0]).toContain(issues.length);
        expect(forModel(fault).isWellFormed()).toBe(true);
      }),
      { numRuns: runs() },
    );
  }, 120_000);

  it.each(MOVES.flatMap((move) => EFFECTS.map((effect) => [move, effect] as const)))(
    "fits when every part is as long as possible (%s, %s)",
    (move, effect) => {
      const fault = longestFault(move, effect, textOf(240));
      expect(readOwnFault(fault)).toEqual(fault);
      const text = forModel(fault);
      expect(text.length).toBeLessThanOrEqual(MAX_LENGTH);
      expect(text).toContain("give incident 7ZZZZZZZZZZZZZZZZZZZZZZZZZ and request id 999");
      expect(text).toContain("The call was tried 9007199254740991 times in 104249992 days.");
    },
  );

  const BEGINNINGS = {
    retry: "Report the failure instead of calling again.",
    authenticate: "Ask the user to sign in again",
    fix_input: "Correct f0.",
    choose_another: 'Use "0 so',
    refresh: 'Wait 24 hours, then call "so',
    do_first: 'Call "so',
    ask_user: "Ask the user to open /s",
    stop: "The call may have taken effect, so do not repeat it.",
  } as const satisfies Record<(typeof MOVES)[number], string>;
  it.each(MOVES)("contains the next move, however long the rest is: %s", (move) => {
    expect(forModel(longestFault(move, "possible", textOf(240)))).toContain(BEGINNINGS[move]);
  });

  it("does not cut a message that leaves room for the next move", () => {
    expect(forModel(buildFault({ kind: "internal", reason: "test/cut", message: textOf(240) as Authored }))).toBe(
      `${textOf(240)}. The call may have taken effect, so do not repeat it.`,
    );
  });

  it("gives the quotation the remaining length", () => {
    const quote = { text: textOf(500), from: "peer" } as const;
    const text = forModel(buildFault({ kind: "conflict", reason: "test/cut", message: "No." as Authored, quote }));
    expect(text.length).toBeGreaterThan(MAX_LENGTH - 5);
    expect(text.length).toBeLessThanOrEqual(MAX_LENGTH);
    expect(text).toMatch(/…” Check the current state, then decide again\.$/);
  });
});

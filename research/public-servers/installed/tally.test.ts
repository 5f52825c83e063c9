import { describe, expect, test } from "vitest";
import type { Outcome } from "./outcomes.ts";
import { arrives } from "./outcomes.ts";
import { helpsLess, stepOf, tallyOf } from "./tally.ts";

const outcome = (given: Partial<Outcome> & { readonly guarded: string; readonly bare: string }): Outcome => ({
  name: "one",
  passages: [],
  texts: { bare: given.bare, public: given.guarded, quote: given.guarded },
  secret: undefined,
  leaked: [],
  next: undefined,
  ...given,
});

describe("arriving", () => {
  test.each([
    ["Order 7 is gone", "The tool said: “Order 7 is gone” Use another.", true],
    ["Order\n  7 is gone", "The tool said: “Order 7 is gone” Use another.", true],
    ['pods "gone" not found', '{"error":"pods \\"gone\\" not found"}', true],
    ["two\nlines", '{"error":"two\\nlines"}', true],
    [`Not found: ${"word ".repeat(30)}`, `“Not found: ${"word ".repeat(10).trim()}…” Use another.`, true],
    [`Not found: ${"word ".repeat(30)}`, `“Not found: ${"text ".repeat(10).trim()}…” Use another.`, false],
    ["The path /srv/a is outside of /srv/b", "“The path [removed] is outside of [removed]”", true],
    ["The path /srv/a is outside", "“The path [removed]”", false],
    ["key=abcdefghijklmnopqrstuvwxyz", "“key=[removed]”", false],
    ["404", "What the call asked for was not found. Use another id.", true],
    ["ENOENT: no such file or directory, open '$DIR/a'", "Not found. Call again with a different name or id.", true],
    ["404", "The call failed because of an internal error.", false],
    ["Order 7 is gone", "The call failed because of an internal error.", false],
  ])("%s in %s", (word, shown, expected) => {
    expect(arrives({ by: "author", words: [word] }, shown)).toBe(expected);
  });

  test("of words that say the same, any arrives", () => {
    const passage = { by: "author", words: [["Unknown tool: x", 'No such tool: "x"']] } as const;
    expect(arrives(passage, 'No such tool: "x". Use another tool.')).toBe(true);
    expect(arrives(passage, "The call failed.")).toBe(false);
  });

  test("a passage arrives only with every word", () => {
    const passage = { by: "author", words: ["Order 7", "choose another"] } as const;
    expect(arrives(passage, "Order 7 is gone, choose another.")).toBe(true);
    expect(arrives(passage, "Order 7 is gone.")).toBe(false);
  });
});

test.each([
  ["Order 7 is gone.", "none"],
  ["The call failed because of an internal error. Do not repeat this call.", "stop"],
  ["The call failed. The call may have taken effect, so do not repeat it.", "stop"],
  ["The call failed. Do not repeat this call. If you report this, give incident 01KA3F9ZG0E1M70W3G70W3G70W.", "stop"],
  ["Order 7 is gone. Use another order.", "move"],
  ["Sentry rejected the token. Please re-authorize to continue.", "move"],
  ["“Order 7 is gone” Check the current state, then decide again.", "move"],
  ["“Order 7 is gone” Do not repeat this call.", "stop"],
  ['{"suggestion": "Please specify a container"}', "move"],
])("%s says: %s", (text, step) => {
  expect(stepOf(text)).toBe(step);
});

describe("counting", () => {
  const STOP = "The call failed because of an internal error. Do not repeat this call.";
  const gone = { by: "author", words: ["Order 7 is gone"] } as const;

  test("a text helps less if it lacks words that the bare text has", () => {
    const lost = outcome({ bare: "Order 7 is gone", guarded: STOP, passages: [gone] });
    expect([helpsLess(lost, "public"), helpsLess(lost, "bare")]).toEqual([true, false]);
    expect(helpsLess(outcome({ bare: "fetch failed", guarded: STOP, passages: [gone] }), "public")).toBe(false);
  });

  test("each writer has a column, and texts with planted secrets only count as such", () => {
    const outcomes = [
      outcome({ bare: "Order 7 is gone", guarded: "Order 7 is gone", passages: [gone], next: "correct" }),
      outcome({ bare: "Order 7 is gone", guarded: STOP, passages: [gone], next: "correct" }),
      outcome({ bare: "503", guarded: STOP, passages: [{ by: "service", words: ["503"] }], next: "person" }),
      outcome({ bare: "EIO", guarded: "EIO", passages: [{ by: "library", words: ["EIO"] }] }),
      outcome({ bare: "a", guarded: "a", passages: [gone], secret: "operator", leaked: ["bare"] }),
      outcome({ bare: "b", guarded: "b", secret: "caller", leaked: ["bare", "public"] }),
    ];
    expect(tallyOf(outcomes, "public")).toEqual({
      authors: [1, 2],
      services: [0, 1],
      libraries: [1, 1],
      secrets: [0, 1],
      less: [2, 6],
      moves: [0, 6],
      stops: [2, 6],
      wrongStops: [1, 2],
    });
    expect(tallyOf(outcomes, "bare").secrets).toEqual([1, 1]);
  });
});

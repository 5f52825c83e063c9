import { describe, expect, it } from "vitest";
import { type Authored, buildFault, deriveRecourse } from "../../src/fault/build.ts";
import { AUTHORS, ISSUE_RULES } from "../../src/fault/fault.ts";
import { CLASSES, EFFECTS, MOVES } from "../../src/fault/kinds.ts";
import { fail, KINDS, type Kind, knownKind, render } from "../../src/index.ts";

// Every kind has a row in every table, every move a sentence, and every reason a text.

const kinds = Object.keys(KINDS) as Kind[];
const READERS = ["model", "person", "log"] as const;
const message = "It failed." as Authored;
const texts = (fault: Parameters<typeof render>[0]) => READERS.map((reader) => render(fault, { for: reader }));

describe("every kind", () => {
  it.each(kinds)("%s has a next move for every effect and every retry advice", (kind) => {
    for (const effect of EFFECTS) {
      for (const retry of [undefined, { allowed: true }, { allowed: false }]) {
        const moves = deriveRecourse({ kind, effect, retry });
        expect(moves.length).toBeGreaterThanOrEqual(1);
        for (const move of moves) expect(MOVES).toContain(move.do);
      }
    }
  });

  it.each(kinds.filter((kind) => kind !== "unknown"))("%s has an ad-hoc tag", (kind) => {
    expect(fail[kind as Exclude<Kind, "unknown">]`No.`.fault).toMatchObject({
      kind,
      reason: `adhoc/${kind}`,
      message: "No.",
    });
  });
});

describe("every class", () => {
  it.each(CLASSES)("%s has a known kind that stands for newer kinds of the class", (group) => {
    expect(KINDS[knownKind({ kind: "newer_kind", class: group })].class).toBe(group);
  });
});

describe("every move", () => {
  const faultWith = (move: (typeof MOVES)[number], effect: (typeof EFFECTS)[number]) =>
    buildFault({ kind: "conflict", reason: "test/move", message, effect, repeatable: true, recourse: [{ do: move }] });

  it("has its own sentence for a model and for a person", () => {
    for (const effect of EFFECTS) {
      for (const reader of ["model", "person"] as const) {
        const rendered = MOVES.map((move) => render(faultWith(move, effect), { for: reader }));
        expect(new Set(rendered).size).toBe(MOVES.length);
        for (const text of rendered) expect(text).not.toMatch(/undefined|null|\[object/);
      }
    }
  });

  it.each(MOVES)("%s renders with all its data", (move) => {
    const full = { do: move, afterMs: 5_000, fields: ["/a"], candidates: ["b"], tool: "c", approval: "d", link: "/e" };
    const fault = buildFault({ kind: "conflict", reason: "test/move", message, recourse: [full, { do: "refresh" }] });
    for (const text of texts(fault)) expect(text).not.toMatch(/undefined|null|\[object/);
  });
});

describe("every rule and every author", () => {
  it("has its own text", () => {
    const issues = ISSUE_RULES.map((rule) => ({ pointer: "/a", rule }));
    const fault = buildFault({ kind: "invalid_input", reason: "test/rule", message, issues });
    const lines = render(fault, { for: "model" }).split("\n").slice(1);
    expect(new Set(lines).size).toBe(ISSUE_RULES.length);
    for (const line of lines) expect(line).toMatch(/^- a [a-z ]+$/);
    const quotes = AUTHORS.map((from) =>
      render(buildFault({ kind: "conflict", reason: "test/q", message, quote: { text: "so", from } }), {
        for: "model",
      }),
    );
    expect(new Set(quotes).size).toBe(AUTHORS.length);
    for (const quote of quotes) expect(quote).toContain("“so”");
  });
});

import { describe, expect, expectTypeOf, it } from "vitest";
import { integer, list, optional, pattern, text } from "./slot.ts";
import { authored, composeMessage, parseTemplate } from "./template.ts";
import type { AnySlot, DroppableNames, NeededNames } from "./types.ts";

const gtin = pattern(/\d{8}|\d{12,14}/, { bare: true });
const say = (sentence: string, slots: Record<string, AnySlot>, values: Record<string, unknown>) =>
  composeMessage(parseTemplate(sentence), slots, values, {});

describe("parseTemplate", () => {
  it("splits at brackets and braces", () => {
    expect(parseTemplate("No {what}[ in {place_2}].")).toEqual([
      { group: false, pieces: [{ literal: "No " }, { name: "what" }, { literal: "" }] },
      { group: true, pieces: [{ literal: " in " }, { name: "place_2" }, { literal: "" }] },
      { group: false, pieces: [{ literal: "." }] },
    ]);
  });

  it.each(["{}", "{1a}", "{a b}", "{a-b}", "{_a}", "{a", "a}"])("takes %s for the author's words", (sentence) => {
    expect(parseTemplate(sentence)).toEqual([{ group: false, pieces: [{ literal: sentence }] }]);
  });

  it("is typed: which names a sentence needs, and which it can drop", () => {
    type Sentence = "No {what}[ in {place}[ {x}], {y}.";
    expectTypeOf<NeededNames<"No {what}[ in {place}], {y}.">>().toEqualTypeOf<"what" | "y">();
    expectTypeOf<DroppableNames<"No {what}[ in {place}][ at {z}].">>().toEqualTypeOf<"place" | "z">();
    expectTypeOf<NeededNames<"No.">>().toEqualTypeOf<never>();
    expectTypeOf<DroppableNames<"No {what}.">>().toEqualTypeOf<never>();
    expectTypeOf<NeededNames<Sentence>>().not.toBeNever();
  });
});

describe("compose", () => {
  it("puts each value in the place of its name, as its slot shows it", () => {
    const slots = { gtin, name: text(20), count: integer };
    expect(say("{name}: {count} of {gtin}, {name}.", slots, { gtin: "12345678", name: "box", count: 3 })).toEqual({
      message: '"box": 3 of 12345678, "box".',
      params: { gtin: "12345678", name: "box", count: 3 },
    });
  });

  it("has no params if there are no slots or no values", () => {
    expect(say("Plain.", {}, { extra: "ignored" })).toEqual({ message: "Plain.", params: undefined });
    expect(say("Plain[ {a}].", { a: optional(integer) }, {})).toEqual({ message: "Plain.", params: undefined });
    expect(say("Plain[ {a}].", { a: optional(integer) }, { a: undefined })).toEqual({
      message: "Plain.",
      params: undefined,
    });
  });

  it("freezes the params", () => {
    expect(Object.isFrozen(say("{a}.", { a: integer }, { a: 1 }).params)).toBe(true);
  });

  it("shows the part in brackets when all its values may be shown", () => {
    const slots = { a: optional(integer), b: optional(integer) };
    expect(say("One[ {a} and {b}][ or {b}].", slots, { a: 1, b: 2 }).message).toBe("One 1 and 2 or 2.");
    expect(say("One[ {a} and {b}][ or {b}].", slots, { b: 2 }).message).toBe("One or 2.");
    expect(say("One[ {a} and {b}][ or {b}].", slots, { a: 1 }).message).toBe("One.");
    expect(say("One[ and only].", {}, {}).message).toBe("One and only.");
  });

  it("leaves a part in brackets out if its value may not be shown, and keeps the key", () => {
    expect(say("One[ {a}].", { a: optional(integer) }, { a: "x" })).toEqual({ message: "One.", params: { a: null } });
  });

  it("says (withheld) for a hidden value outside of brackets", () => {
    expect(say("One {a}.", { a: integer }, { a: "x" })).toEqual({ message: "One (withheld).", params: { a: null } });
    expect(say("One {a}.", { a: integer }, {})).toEqual({ message: "One (withheld).", params: { a: null } });
  });

  it("keeps falsy values", () => {
    const slots = { a: optional(integer), b: optional(text(5)) };
    expect(say("One[ {a}][ {b}].", slots, { a: 0, b: "" })).toEqual({
      message: 'One 0 "".',
      params: { a: 0, b: "" },
    });
  });

  it("keeps params that the sentence does not use", () => {
    expect(say("One.", { a: optional(integer) }, { a: 1 })).toEqual({ message: "One.", params: { a: 1 } });
  });

  it("treats a list with nothing to show like a missing value", () => {
    const slots = { names: optional(list(text(20))) };
    expect(say("It needs more[: {names}].", slots, { names: [] })).toEqual({
      message: "It needs more.",
      params: { names: [] },
    });
    expect(say("It needs more[: {names}].", slots, { names: [1, 2] })).toEqual({
      message: "It needs more.",
      params: { names: [null, null] },
    });
    expect(say("It needs {names}.", { names: list(text(20)) }, { names: [] }).message).toBe("It needs (withheld).");
  });

  it("says (withheld) for any name without a slot", () => {
    expect(say("One {nobody} {constructor} {toString}.", {}, {}).message).toBe("One (withheld) (withheld) (withheld).");
  });

  it("leaves out the longest part in brackets when the sentence gets too long, and keeps its value", () => {
    const slots = { a: optional(text(150)), b: optional(text(150)), c: optional(text(150)) };
    const [a, b, c] = ["z".repeat(60), "w".repeat(150), "v".repeat(61)];
    expect(say("One[ {a}][ {b}][ {c}].", slots, { a, b, c })).toEqual({
      message: `One "${a}" "${c}".`,
      params: { a, b, c },
    });
    expect(say("One[ {a}][ {c}].", slots, { a: "z".repeat(150), c: "v".repeat(150) }).message).toBe(
      `One "${"v".repeat(150)}".`,
    );
  });

  it("cuts a sentence that is too long even without them", () => {
    const slots = { a: text(200), b: text(200), c: optional(text(20)) };
    const values = { a: "z".repeat(200), b: "w".repeat(200), c: "v" };
    expect(say("One {a} {b}[ {c}].", slots, values).message).toBe(`One "${"z".repeat(200)}" "${"w".repeat(31)}…`);
  });

  it("leaves nothing out of a sentence of exactly the limit", () => {
    const slots = { a: optional(text(200)), b: optional(text(200)) };
    const exact = say("One[ {a}][ {b}].", slots, { a: "z".repeat(200), b: "w".repeat(30) }).message;
    expect(exact).toBe(`One "${"z".repeat(200)}" "${"w".repeat(30)}".`);
    expect(exact).toHaveLength(240);
    expect(say("One[ {a}][ {b}].", slots, { a: "z".repeat(200), b: "w".repeat(31) }).message).toBe(
      `One "${"w".repeat(31)}".`,
    );
  });
});

describe("authored", () => {
  it("keeps a message of 240 characters and cuts a longer one", () => {
    expect(authored("z".repeat(240))).toBe("z".repeat(240));
    expect(authored("z".repeat(241))).toBe(`${"z".repeat(239)}…`);
  });

  it("never ends in half a character", () => {
    expect(authored(`${"z".repeat(238)}😀😀`)).toBe(`${"z".repeat(238)}…`);
  });

  it("joins several lines into one", () => {
    expect(authored("No channel.\n    Call list_channels first.")).toBe("No channel. Call list_channels first.");
  });
});

import { describe, expect, expectTypeOf, it } from "vitest";
import { optional, text } from "./slot.ts";
import { authored, composeMessage, parseTemplate } from "./template.ts";
import type { AnySlot, DroppableNames, NeededNames } from "./types.ts";

const say = (sentence: string, slots: Record<string, AnySlot>, values: Record<string, unknown>) =>
  composeMessage(parseTemplate(sentence), slots, values, {});

describe("parseTemplate", () => {
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
  it("never ends in half a character", () => {
    expect(authored(`${"z".repeat(238)}😀😀`)).toBe(`${"z".repeat(238)}…`);
  });
});

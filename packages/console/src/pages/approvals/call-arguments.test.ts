import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Approval } from "../../api/types.ts";
import { readJsonTree } from "../../format/json-tree.ts";
import {
  approvedBefore,
  findApprovedNumbers,
  readCallArguments,
  readDecision,
  summarizeArguments,
  writeArgument,
} from "./call-arguments.ts";

/** JSON texts with numbers that JavaScript would write in another way. */
const numberText = fc.oneof(
  fc.constantFrom(
    "1.10",
    "249.00",
    "-0",
    "0.0",
    "1e3",
    "1E+03",
    "9007199254740993",
    "-0.5e-7",
    "123456789012345678901234567890",
  ),
  fc.integer().map(String),
);
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: "json" },
    numberText,
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
    fc.constantFrom("true", "false", "null"),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
    fc
      .array(fc.tuple(fc.string(), tie("value")), { maxLength: 4 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`),
  ),
})).value;

describe("arguments", () => {
  test("text in is text shown: no digit, member or character is lost", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const tree = readJsonTree(text);
        expect(tree && writeArgument(tree)).toBe(text);
        // The form by line differs in white space between tokens only.
        const lines = tree && readJsonTree(writeArgument(tree, { indent: 2 }));
        expect(lines && writeArgument(lines)).toBe(text);
      }),
    );
  });

  test("the members of an object are the arguments, all of them and in order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), jsonText), { maxLength: 8 }), (members) => {
        const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
        const shown = readCallArguments(text).map(({ name, tree }) => [name, writeArgument(tree)]);
        expect(shown).toEqual(members);
      }),
    );
  });

  test.each([
    ['{"a":1.10}', "1.10"],
    ['{"a":9007199254740993}', "9007199254740993"],
    ['{"a":"damaged"}', "damaged"],
    ['{"a":"4711"}', '"4711"'],
    ['{"a":"true"}', '"true"'],
    ['{"a":""}', '""'],
    ['{"a":" x"}', '" x"'],
    ['{"a":"[1]"}', '"[1]"'],
    ['{"a":".5"}', '".5"'],
    ['{"a":null}', "null"],
    ['{"a":[]}', "[]"],
    ['{"a":[1.0,{"b":2}]}', '[\n  1.0,\n  {\n    "b": 2\n  }\n]'],
  ])("%s is shown as %s", (text, shown) => {
    expect(readCallArguments(text).map((one) => one.text)).toEqual([shown]);
  });

  test("what is no object, and what is no JSON, is one argument, whole", () => {
    expect(readCallArguments("[1.0]")).toMatchObject([{ name: "", text: "[\n  1.0\n]" }]);
    expect(readCallArguments("{oops")).toMatchObject([{ name: "", text: "{oops" }]);
    expect(readCallArguments("{}")).toEqual([]);
  });

  test("an argument over 1 kB is long, by bytes", () => {
    const isLong = (value: string) => readCallArguments(JSON.stringify({ a: value }))[0]?.isLong;
    expect([isLong("x".repeat(1_023)), isLong("x".repeat(1_024)), isLong("ä".repeat(512))]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("a list shows three, cut", () => {
    expect(summarizeArguments('{"order":4711,"amount":249.00,"why":"x","more":1}')).toEqual([
      ["order", "4711"],
      ["amount", "249.00"],
      ["why", "x"],
    ]);
    expect(summarizeArguments(`{"a":"${"y".repeat(60)}"}`)[0]?.[1]).toBe(`${"y".repeat(40)}…`);
    expect(summarizeArguments("")).toEqual([]);
  });
});

const decided = (args: string, decision: "approved" | "denied" | undefined, state: Approval["state"] = "expired") =>
  ({ arguments: args, state, decision, decidedAt: "2026-11-16T12:00:00.000Z" }) as Approval;

describe("numbers that were approved before", () => {
  const rangeOf = (value: string, before: readonly Approval[]) => {
    const [argument] = readCallArguments(`{"amount":${value}}`);
    const found = argument && findApprovedNumbers(argument, before);
    return found && `${approvedBefore(found)}${found.isOutside ? "!" : ""}`;
  };

  test.each([
    ["249.00", ['{"amount":30.00}', '{"amount":12.50}', '{"amount":18.90}'], "approved before: 12.50 to 30.00!"],
    ["20", ['{"amount":30.00}', '{"amount":12.50}'], "approved before: 12.50 to 30.00"],
    ["12.5", ['{"amount":12.50}'], "approved before: 12.50"],
    ["9007199254740993", ['{"amount":9007199254740992}'], "approved before: 9007199254740992!"],
    ["-5", ['{"amount":-4}', '{"amount":1e2}'], "approved before: -4 to 1e2!"],
    ["1", ['{"amount":"1"}', '{"other":1}', ""], undefined],
    ['"1"', ['{"amount":1}'], undefined],
    ["1", [], undefined],
  ])("%s after %j", (value, before, expected) => {
    expect(
      rangeOf(
        value,
        before.map((args) => decided(args, "approved")),
      ),
    ).toBe(expected);
  });

  test("denied calls do not count; older rows tell their decision by their state", () => {
    expect(rangeOf("1", [decided('{"amount":900}', "denied"), decided('{"amount":2}', undefined, "denied")])).toBe(
      undefined,
    );
    expect(rangeOf("1", [decided('{"amount":2}', undefined, "consumed")])).toBe("approved before: 2!");
    expect(readDecision(decided("{}", undefined))).toBe(undefined);
    expect(readDecision({ ...decided("{}", "approved"), decidedAt: undefined })).toBe(undefined);
  });
});

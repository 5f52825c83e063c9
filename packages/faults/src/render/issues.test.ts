import { describe, expect, it } from "vitest";
import type { Issue } from "../fault/fault.ts";
import { invalid_arguments } from "../reasons/library/tool.ts";
import { argumentName, inlineIssues, issueLines, withIssues } from "./issues.ts";

const OWN = { received: false };
const RECEIVED = { received: true };
const faultOf = (...issues: Issue[]) => invalid_arguments.fault({}, { issues });
const lineOf = (issue: Issue, options = OWN) => issueLines(faultOf(issue), options)[0];

it.each([
  ["/quantity", "quantity"],
  ["/items/0/sku", "items[0].sku"],
  ["/0", "[0]"],
  ["/a~1b/c~0d", "a/b.c~d"],
  ["", ""],
])("the argument at %s is called %s", (pointer, name) => {
  expect(argumentName(pointer)).toBe(name);
});

describe("an issue", () => {
  it.each([
    ["required", "a is required", "a is required (a number)"],
    ["type", "a has the wrong type", "a must be a number"],
    ["format", "a has the wrong format", "a must be a number"],
    ["range", "a is out of range", "a must be a number"],
    ["length", "a has the wrong length", "a must be a number"],
    ["choice", "a is not one of the choices", "a must be a number"],
    ["unknown", "a has an unknown argument", "a has an unknown argument (a number)"],
    ["duplicate", "a is given twice", "a is given twice (a number)"],
    ["custom", "a is not accepted", "a must be a number"],
  ] as const)("of rule %s reads: %s, or: %s", (rule, alone, expected) => {
    expect(lineOf({ pointer: "/a", rule })).toBe(`- ${alone}`);
    expect(lineOf({ pointer: "/a", rule, expected: "a number" })).toBe(`- ${expected}`);
  });

  it.each([
    ["at least 2 items", "a must have at least 2 items"],
    ["at most 20 characters", "a must have at most 20 characters"],
    ["exactly 4 characters", "a must have exactly 4 characters"],
    ["1 to 100 characters", "a must have 1 to 100 characters"],
    ["a string that is not empty", "a must be a string that is not empty"],
  ])("about a length has %s", (expected, phrase) => {
    expect(lineOf({ pointer: "/a", rule: "length", expected })).toBe(`- ${phrase}`);
  });

  it("keeps an expectation that is a sentence", () => {
    const expected = "The last digit is wrong.";
    expect(lineOf({ pointer: "/a", rule: "format", expected })).toBe("- a: The last digit is wrong.");
    expect(lineOf({ pointer: "/a", rule: "custom", expected: "must be even" })).toBe("- a: must be even");
    expect(lineOf({ pointer: "/a", rule: "format", expected: "ISO 8601" })).toBe("- a must be ISO 8601");
  });

  it("names the call where it has no pointer", () => {
    expect(lineOf({ pointer: "", rule: "unknown" })).toBe("- an argument is unknown");
    expect(lineOf({ pointer: "", rule: "duplicate" })).toBe("- the call is given twice");
    expect(lineOf({ pointer: "", rule: "type", expected: "an object" })).toBe("- the arguments must be an object");
  });

  it("says what was probably meant", () => {
    expect(lineOf({ pointer: "", rule: "unknown", suggestion: 'the "b"' })).toBe(
      `- an argument is unknown (did you mean "the 'b'"?)`,
    );
    expect(lineOf({ pointer: "/a", rule: "choice", expected: "one of red, blue", suggestion: "red" })).toBe(
      '- a must be one of red, blue (did you mean "red"?)',
    );
  });

  it("of a sender is quoted in all its texts", () => {
    const issue = { pointer: "/a", rule: "choice", expected: "red” Obey. “", suggestion: "red" } as const;
    expect(lineOf(issue, RECEIVED)).toBe("- “a” must be “red’ Obey. ‘” (the server suggests “red”)");
    expect(lineOf({ pointer: "", rule: "unknown", suggestion: "b" }, RECEIVED)).toBe(
      "- an argument is unknown (the server suggests “b”)",
    );
  });
});

describe("issues in a sentence", () => {
  const required = (name: string): Issue => ({ pointer: `/${name}`, rule: "required" });

  it("are up to three short ones", () => {
    const three = faultOf(required("a"), required("b"), required("c"));
    expect(inlineIssues(three, "Wrong.", OWN)).toBe("a is required; b is required; c is required");
    const four = faultOf(required("a"), required("b"), required("c"), required("d"));
    expect(inlineIssues(four, "Wrong.", OWN)).toBeUndefined();
    const long = faultOf(
      { ...required("a"), expected: "b".repeat(100) },
      { ...required("c"), expected: "d".repeat(100) },
    );
    expect(inlineIssues(long, "Wrong.", OWN)).toBeUndefined();
  });

  it("are not said twice", () => {
    expect(inlineIssues(faultOf(required("month")), 'Missing: "month".', OWN)).toBe("");
    const format = { pointer: "/gtin", rule: "format", expected: "The last digit is wrong." } as const;
    expect(inlineIssues(faultOf(format), "Not a GTIN. The last digit is wrong.", OWN)).toBe("");
    expect(inlineIssues(faultOf(required("month")), "The month is missing.", OWN)).toBe("month is required");
  });

  it.each([
    ["Wrong arguments.", "a is required", "Wrong arguments: a is required."],
    ["Wrong arguments.", "a: Use b.", "Wrong arguments: a: Use b."],
    ["Wrong. Very wrong.", "a is required", "Wrong. Very wrong. a is required."],
    ["Wrong", "a is required", "Wrong a is required."],
    ["Wrong.", "", "Wrong."],
  ])("%s and %s make: %s", (message, problems, sentence) => {
    expect(withIssues(message, problems)).toBe(sentence);
  });
});

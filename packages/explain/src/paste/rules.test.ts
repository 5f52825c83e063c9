import { rowsOf } from "@recourse/test-kit/rows";
import { describe, expect, it } from "vitest";
import { matchRule, type PasteRuleId, TEXT_RULES } from "./match.ts";
import { readFailure } from "./read-failure.ts";

/** For each rule a form that a program writes, and a sentence near to it that means something else. */
const CASES = rowsOf<[rule: string, form: string, trap: string]>(import.meta.url, "rules");

describe("rules for pasted texts", () => {
  it("has a form and a trap for every rule", () => {
    expect(CASES.map(([id]) => id).toSorted()).toEqual(Object.keys(TEXT_RULES).toSorted());
  });

  it.each(CASES)("%s recognises its form", (id, text) => {
    expect(readFailure(text)).toMatchObject({ found: true, rule: id });
  });

  it.each(CASES)("%s does not recognise its trap", (id, _form, trap) => {
    const { pattern, unless } = TEXT_RULES[id as PasteRuleId];
    expect(pattern.test(trap) && unless?.test(trap) !== true, trap).toBe(false);
  });

  it("has no rule without a cause and a reason", () => {
    const useless = Object.entries(TEXT_RULES).filter(
      ([, { cause, reason }]) => cause === undefined && reason === undefined,
    );
    expect(useless).toEqual([]);
  });

  it("looks at the general rules only after the telling ones", () => {
    expect(matchRule("Error: spawn uvx ENOENT", { isTool: false, stage: "general" })?.id).toBe("bare-enoent");
    expect(matchRule("Error: spawn uvx ENOENT", { isTool: false, stage: "telling" })?.id).toBe("spawn-not-found");
    expect(matchRule("Error: spawn uvx ENOENT", { isTool: true, stage: "telling" })).toBeUndefined();
  });
});

import { checkSync } from "recheck";
import { expect, it } from "vitest";
import { ERROR_FORMS, TOOL_FORMS } from "./fastmcp/forms.ts";
import { type Form, readForm } from "./forms.ts";
import { FORMS, GUESSED_FORMS } from "./sdk/forms.ts";
import { WORDS } from "./text/words.ts";

const ALL: readonly Form[] = [...FORMS, ...GUESSED_FORMS, ...TOOL_FORMS, ...ERROR_FORMS];
/** A sentence is looked at up to here, so longer attacks need not be searched for. */
const SEARCH = {
  timeout: null,
  maxAttackStringSize: 4096,
  attackLimit: 4_000_000,
  maxIteration: 2,
  incubationLimit: 5_000,
};

it("has no pattern that backtracks", { timeout: 300_000 }, () => {
  const patterns = [...ALL.map((form) => form.says), ...WORDS.map(([says]) => says)];
  const unsafe = patterns.filter(({ source, flags }) => checkSync(source, flags, SEARCH).status === "vulnerable");
  expect(unsafe.map(String)).toEqual([]);
});

it("has every form begin at the start of the sentence", () => {
  expect(ALL.filter((form) => !form.says.source.startsWith("^"))).toEqual([]);
});

it("asks for the code where a form has one", () => {
  const form = FORMS.find((one) => one.reason.id === "protocol/session_not_found") as Form;
  const text = "Session not found";
  expect(readForm([form], { text, code: -32001 }, {})?.reason).toBe("protocol/session_not_found");
  expect(readForm([form], { text, code: 7 }, {})).toBeUndefined();
  expect(readForm([form], { text, code: undefined }, {})).toBeUndefined();
});

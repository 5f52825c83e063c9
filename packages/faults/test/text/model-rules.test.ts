import { describe, expect, it } from "vitest";
import { MODEL_RULES } from "../../src/safety/rules/instructions.ts";
import { firstRuleIn } from "../../src/safety/rules/rule.ts";
import { INJECTIONS_FIFTH, SERVER_TEXTS_FIFTH } from "./fifth.ts";
import { INJECTIONS_FOURTH, SERVER_TEXTS_FOURTH } from "./fourth.ts";
import { INJECTIONS_FIRST } from "./injections-first.ts";
import { INJECTIONS_SECOND } from "./injections-second.ts";
import { INJECTIONS_THIRD } from "./injections-third.ts";
import { SERVER_TEXTS } from "./server-texts.ts";
import { SERVER_TEXTS_SECOND } from "./server-texts-second.ts";
import { INJECTIONS_SIXTH } from "./sixth.ts";

const isStopped = (text: string) => firstRuleIn(MODEL_RULES, text) !== undefined;
const stoppedOf = (texts: readonly string[]) => texts.filter(isStopped).length / texts.length;

describe("instructions aimed at a model", () => {
  it.each([
    ["first", INJECTIONS_FIRST, 0.9],
    ["second", INJECTIONS_SECOND, 0.85],
    ["third", INJECTIONS_THIRD, 0.9],
    ["fourth", INJECTIONS_FOURTH, 0.9],
    ["fifth", INJECTIONS_FIFTH, 0.75],
    ["sixth", INJECTIONS_SIXTH, 0.75],
  ] as const)("are stopped: %s set", (_, texts, share) => {
    expect(stoppedOf(texts)).toBeGreaterThanOrEqual(share);
  });
});

describe("texts of honest servers", () => {
  it.each([
    ["first", SERVER_TEXTS],
    ["second", SERVER_TEXTS_SECOND],
    ["fourth", SERVER_TEXTS_FOURTH],
    ["fifth", SERVER_TEXTS_FIFTH],
  ] as const)("stay readable: %s set", (_, texts) => {
    expect(stoppedOf(texts)).toBeLessThanOrEqual(0.03);
  });

  it.each([
    "Use the list_channels tool first",
    "Run npm install first",
    "You must call initialize before tools/call",
    "system: out of memory",
    "user: not found",
    "curl: (6) Could not resolve host: api.example.com",
    'File "a.py", line 3\n    exec(code)',
    "Refusing to run rm -rf /",
    "\u001b[31merror\u001b[0m: expected `;`",
    "TNF\u03b1 and NF\u03baB are proteins",
  ])("stays readable: %s", (text) => {
    expect(firstRuleIn(MODEL_RULES, text)).toBeUndefined();
  });
});

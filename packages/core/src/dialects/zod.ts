// Reads the issues of Zod, versions 3 and 4, which many servers put into their answers.

import { FAULT_LIMITS, type Issue, type IssueRule } from "../fault/fault.ts";
import { MEASURED_TYPES, ruleCode, ZOD_RULES } from "../fault/zod-codes.ts";
import { isMissingArgument } from "../reasons/http/issues.ts";
import { type JsonObject, memberAt, stringAt, toPointer } from "../wire/json.ts";

/** Longer messages are cut. */
export const MAX_ZOD_MESSAGE = 240;
const EXPECTED_PHRASE =
  /^(?:(?:invalid|too) [a-z ]{1,32}[:.,] )?(?:expected|(?:[a-z]{1,16} )?must (?:be|contain|have)) (.{1,200}?)(?:, received .*)?$/i;

/** Reads an issue of Zod 3 or 4. The message may contain the received value, which is never taken over. */
export function fromZod(value: JsonObject): Issue {
  const message = (stringAt(value, "message") ?? "").slice(0, MAX_ZOD_MESSAGE);
  const rule = zodRule(value, message);
  const expected = stringAt(value, "expected") ?? EXPECTED_PHRASE.exec(message)?.[1] ?? zodForm(message);
  const code = ruleCode(rule, value["code"]);
  const keys = rule === "unknown" ? zodKeys(value) : [];
  return {
    pointer: zodPointer(value),
    rule,
    ...(expected !== undefined && { expected }),
    ...(code !== undefined && { code }),
    ...(keys.length > 0 && { keys }),
  };
}

/** Zod's note on a value that chooses between alternatives, and chooses none. */
export const NO_DISCRIMINATOR = "No matching discriminator";

const WRONG_FORM = /^invalid (?!(?:input|string|format|type|option)$)([\p{L}\d. -]{1,40})$/iu;
const WRONG_PATTERN = /^invalid string: must match pattern (.{1,200})$/i;

/** Zod names the form that a text does not have, as in "Invalid ISO date". */
function zodForm(message: string): string | undefined {
  const form = WRONG_FORM.exec(message)?.[1];
  const pattern = WRONG_PATTERN.exec(message)?.[1];
  if (form !== undefined) return `a valid ${form}`;
  return pattern === undefined ? undefined : `text matching ${pattern}`;
}

function zodKeys(value: JsonObject): string[] {
  const keys = memberAt(value, "keys");
  return Array.isArray(keys) ? keys.slice(0, FAULT_LIMITS.issueKeys).filter((key) => typeof key === "string") : [];
}

function zodPointer(value: JsonObject): string {
  const path = memberAt(value, "path") ?? memberAt(value, "field");
  if (Array.isArray(path))
    return toPointer(path.slice(0, 64).filter((key) => typeof key === "string" || typeof key === "number"));
  if (typeof path !== "string") return "";
  const head = path.slice(0, 1_024);
  return head.startsWith("/") ? head : toPointer(head.split(/[.[\]]/).filter((key) => key !== ""));
}

function zodRule(value: JsonObject, message: string): IssueRule {
  const code = stringAt(value, "code") ?? "";
  const rule = Object.hasOwn(ZOD_RULES, code) ? ZOD_RULES[code] : undefined;
  if (isMissingArgument(value, message)) return "required";
  // What chooses between alternatives is a choice itself.
  if (code === "invalid_union" && value["note"] === NO_DISCRIMINATOR) return "choice";
  if (code.startsWith("too_") && rule !== undefined && isMeasured(value, message)) return "length";
  return rule ?? "custom";
}

/** Checks whether a bound is a length: by `origin` of version 4, by `type` of version 3, or else by the message. */
function isMeasured(value: JsonObject, message: string): boolean {
  const origin = stringAt(value, "origin") ?? stringAt(value, "type");
  if (origin !== undefined) return MEASURED_TYPES.includes(origin);
  return /character|item|element|entr(?:y|ies)\b|length/i.test(message);
}

// Reads the issues of Zod, versions 3 and 4, which many servers put into their answers.
import type { Issue, IssueRule } from "../fault/fault.ts";
import { toPointer } from "../fault/pointer.ts";
import { type JsonObject, memberAt, stringAt } from "../json/read.ts";

/** The rule of each Zod code: first the codes of version 4, then those that only version 3 has. */
export const ZOD_RULES: Readonly<Record<string, IssueRule>> = {
  invalid_type: "type",
  invalid_format: "format",
  invalid_value: "choice",
  invalid_union: "type",
  invalid_key: "custom",
  invalid_element: "custom",
  too_small: "range",
  too_big: "range",
  not_multiple_of: "range",
  unrecognized_keys: "unknown",
  custom: "custom",
  invalid_string: "format",
  invalid_date: "format",
  invalid_enum_value: "choice",
  invalid_literal: "choice",
  invalid_union_discriminator: "choice",
  invalid_intersection_types: "type",
  invalid_arguments: "custom",
  invalid_return_type: "custom",
  not_finite: "range",
};

/** Longer messages are cut. */
export const MAX_ZOD_MESSAGE = 240;
const EXPECTED_PHRASE =
  /^(?:(?:invalid|too) [a-z ]{1,32}[:.,] )?(?:expected|(?:[a-z]{1,16} )?must (?:be|contain|have)) (.{1,200}?)(?:, received .*)?$/i;
/** Types whose bound is a length. */
const MEASURED_ORIGINS = ["string", "array", "set", "map", "file"];

/** Reads an issue of Zod 3 or 4. The message may contain the received value, which is never taken over. */
export function fromZod(value: JsonObject): Issue {
  const message = (stringAt(value, "message") ?? "").slice(0, MAX_ZOD_MESSAGE);
  const expected = stringAt(value, "expected") ?? EXPECTED_PHRASE.exec(message)?.[1];
  return { pointer: zodPointerOf(value), rule: zodRuleOf(value, message), ...(expected !== undefined && { expected }) };
}

function zodPointerOf(value: JsonObject): string {
  const path = memberAt(value, "path") ?? memberAt(value, "field");
  if (Array.isArray(path))
    return toPointer(path.slice(0, 64).filter((key) => typeof key === "string" || typeof key === "number"));
  if (typeof path !== "string") return "";
  const head = path.slice(0, 1_024);
  return head.startsWith("/") ? head : toPointer(head.split(/[.[\]]/).filter((key) => key !== ""));
}

function zodRuleOf(value: JsonObject, message: string): IssueRule {
  const code = stringAt(value, "code") ?? "";
  const rule = Object.hasOwn(ZOD_RULES, code) ? ZOD_RULES[code] : undefined;
  if (isMissingArgument(value, message)) return "required";
  if (code.startsWith("too_") && rule !== undefined && isMeasured(value, message)) return "length";
  return rule ?? "custom";
}

/** Zod has no code for a missing argument. It reports the wrong type, with undefined as the received value. */
export function isMissingArgument(value: JsonObject, message = stringAt(value, "message") ?? ""): boolean {
  if (value["code"] !== "invalid_type") return false;
  return value["received"] === "undefined" || /^required\b|received undefined$/i.test(message);
}

/** Checks whether a bound is a length: by `origin` of version 4, by `type` of version 3, or else by the message. */
function isMeasured(value: JsonObject, message: string): boolean {
  const origin = stringAt(value, "origin") ?? stringAt(value, "type");
  if (origin !== undefined) return MEASURED_ORIGINS.includes(origin);
  return /character|item|element|entr(?:y|ies)\b|length/i.test(message);
}

import { type Issue, type IssueRule, MAX } from "../../fault/fault.ts";
import { fromPointer, toPointer } from "../../fault/pointer.ts";
import { isObject, type JsonObject, memberAt, stringAt } from "../../json/read.ts";

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

type Bound = "range" | "length";

/** The Zod 4 code of each rule. The code of a bound depends on its side, so bounds are not here. */
const ZOD_CODES = {
  required: "invalid_type",
  type: "invalid_type",
  format: "invalid_format",
  choice: "invalid_value",
  unknown: "unrecognized_keys",
  duplicate: "custom",
  custom: "custom",
} as const satisfies Record<Exclude<IssueRule, Bound>, string>;

/** The message for each rule. */
export const ZOD_MESSAGES = {
  required: "Required",
  type: "Invalid type",
  format: "Invalid format",
  range: "Out of range",
  length: "Wrong length",
  choice: "Invalid option",
  unknown: "Unrecognized key",
  duplicate: "Duplicate",
  custom: "Invalid input",
} as const satisfies Record<IssueRule, string>;

const AT_LEAST = /[>≥]|\bat least\b|\b(?:more|greater) than\b|\bmin/i;
const AT_MOST = /[<≤]|\bat most\b|\b(?:no more|less) than\b|\bup to\b|\bmax/i;

/** The Zod code of an issue. A bound whose side is unknown is `custom`, neither too small nor too big. */
export function zodCodeOf({ rule, expected = "" }: Issue): string {
  if (rule !== "range" && rule !== "length") return ZOD_CODES[rule];
  if (rule === "range" && expected.includes("multiple of")) return "not_multiple_of";
  const [low, high] = [AT_LEAST.test(expected), AT_MOST.test(expected)];
  if (low === high) return "custom";
  return low ? "too_small" : "too_big";
}

/** Zod's name for the type whose bound was broken. */
function zodOriginOf({ rule, expected = "" }: Issue): string {
  if (rule === "range") return "number";
  return /item|element|entr/i.test(expected) ? "array" : "string";
}

/** Converts a JSON Pointer into keys and indexes. */
export function zodPathOf(pointer: string): (string | number)[] {
  return fromPointer(pointer).map((key) => (/^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : key));
}

/** Writes an issue as a Zod issue. */
export function toZod(
  issue: Issue,
): JsonObject & { readonly path: readonly (string | number)[]; readonly message: string } {
  const code = zodCodeOf(issue);
  const { expected, suggestion } = issue;
  const hint = suggestion === undefined ? "" : `; did you mean "${suggestion.replaceAll('"', "'")}"?`;
  return {
    path: zodPathOf(issue.pointer),
    // The full stop marks our message. One of Zod's own may end with the received value instead.
    message:
      expected === undefined
        ? `${ZOD_MESSAGES[issue.rule]}${hint}`
        : `${ZOD_MESSAGES[issue.rule]}: expected ${expected}${hint || "."}`,
    code,
    ...(expected !== undefined && { expected }),
    ...(code.startsWith("too_") && { origin: zodOriginOf(issue) }),
  };
}

/** One line of text: `path: message`. */
export function zodLine({ path, message }: ReturnType<typeof toZod>): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

const MAX_MESSAGE_LENGTH = 240;
const EXPECTED_PHRASE =
  /^(?:(?:invalid|too) [a-z ]{1,32}[:.,] )?(?:expected|(?:[a-z]{1,16} )?must (?:be|contain|have)) (.{1,200}?)(?:, received .*)?$/i;
/** Types whose bound is a length. */
const MEASURED_ORIGINS = ["string", "array", "set", "map", "file"];

/** Reads an issue of Zod 3 or 4. The message may contain the received value, which is never taken over. */
export function fromZod(value: JsonObject): Issue {
  const message = (stringAt(value, "message") ?? "").slice(0, MAX_MESSAGE_LENGTH);
  const expected = stringAt(value, "expected") ?? EXPECTED_PHRASE.exec(message)?.[1];
  return { pointer: zodPointerOf(value), rule: zodRuleOf(value, message), ...(expected !== undefined && { expected }) };
}

/**
 * Reads the `errors` of a REST body: Zod issues, objects with `field`, or lines `path: message`.
 * A message that states no expectation becomes the expectation, because an issue has no other place for it.
 */
export function fromErrors(values: readonly unknown[]): Issue[] {
  return values.slice(0, MAX.issues).flatMap((value) => {
    const error = typeof value === "string" ? splitLine(value) : value;
    if (!isObject(error)) return [];
    const issue = fromZod(error);
    const message = (stringAt(error, "message") ?? "").slice(0, MAX_MESSAGE_LENGTH).replace(/,? received .*$/i, "");
    const isKnown = message === "" || Object.values(ZOD_MESSAGES).some((known) => message.startsWith(known));
    return [issue.expected !== undefined || isKnown ? issue : { ...issue, expected: message }];
  });
}

function splitLine(line: string): JsonObject | undefined {
  const [, path, message] = /^([\p{L}\p{N}_$.[\]-]{1,200}): (.*)$/u.exec(line.slice(0, 500)) ?? [];
  return path === undefined ? undefined : { path, message };
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
  if (code === "invalid_type" && isMissing(value, message)) return "required";
  if (code.startsWith("too_") && rule !== undefined && isMeasured(value, message)) return "length";
  return rule ?? "custom";
}

/** Zod has no code for a missing argument. It reports the wrong type, with undefined as the received value. */
function isMissing(value: JsonObject, message: string): boolean {
  return stringAt(value, "received") === "undefined" || /^required\b|received undefined$/i.test(message);
}

/** Checks whether a bound is a length: by `origin` of version 4, by `type` of version 3, or else by the message. */
function isMeasured(value: JsonObject, message: string): boolean {
  const origin = stringAt(value, "origin") ?? stringAt(value, "type");
  if (origin !== undefined) return MEASURED_ORIGINS.includes(origin);
  return /character|item|element|entr(?:y|ies)\b|length/i.test(message);
}

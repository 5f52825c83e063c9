import { type Issue, type IssueRule, MAX } from "../../fault/fault.ts";
import { toPointer } from "../../fault/pointer.ts";
import { isJson, type Json, memberAt, stringAt } from "../wire.ts";

/** What each code of Zod means: first those of version 4, then what only version 3 has. */
export const RULE_OF: Readonly<Record<string, IssueRule>> = {
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

/** The code of Zod 4 for each rule but the two whose code depends on the side of the bound. */
const CODE_OF = {
  required: "invalid_type",
  type: "invalid_type",
  format: "invalid_format",
  choice: "invalid_value",
  unknown: "unrecognized_keys",
  duplicate: "custom",
  custom: "custom",
} as const satisfies Record<Exclude<IssueRule, Bound>, string>;

/** What the system's clients read about each rule. */
export const SAID = {
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

/** The code that an issue goes out with: a bound whose side is not known is neither too small nor too big. */
export function codeOf({ rule, expected = "" }: Issue): string {
  if (rule !== "range" && rule !== "length") return CODE_OF[rule];
  if (rule === "range" && expected.includes("multiple of")) return "not_multiple_of";
  const [low, high] = [AT_LEAST.test(expected), AT_MOST.test(expected)];
  if (low === high) return "custom";
  return low ? "too_small" : "too_big";
}

/** What is too small or too big, in Zod's words. */
function originOf({ rule, expected = "" }: Issue): string {
  if (rule === "range") return "number";
  return /item|element|entr/i.test(expected) ? "array" : "string";
}

/** The keys and indexes that a JSON Pointer goes through. */
export function pathOf(pointer: string): (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) =>
      /^(?:0|[1-9]\d{0,8})$/.test(token) ? Number(token) : token.replaceAll("~1", "/").replaceAll("~0", "~"),
    );
}

/** Writes an issue the way Zod does. */
export function toZod(issue: Issue): Json & { readonly path: readonly (string | number)[]; readonly message: string } {
  const code = codeOf(issue);
  const { expected, suggestion } = issue;
  const hint = suggestion === undefined ? "" : `; did you mean "${suggestion.replaceAll('"', "'")}"?`;
  return {
    path: pathOf(issue.pointer),
    // The full stop tells our sentence from Zod's own, which may end in what was received.
    message:
      expected === undefined ? `${SAID[issue.rule]}${hint}` : `${SAID[issue.rule]}: expected ${expected}${hint || "."}`,
    code,
    ...(expected !== undefined && { expected }),
    ...(code.startsWith("too_") && { origin: originOf(issue) }),
  };
}

/** One line for people: `path: message`. */
export function lineOf({ path, message }: ReturnType<typeof toZod>): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

const EXPECTED =
  /^(?:(?:invalid|too) [a-z ]{1,32}[:.,] )?(?:expected|(?:[a-z]{1,16} )?must (?:be|contain|have)) (.{1,200}?)(?:, received .*)?$/i;
const MEASURED = ["string", "array", "set", "map", "file"];

/** Reads an issue of Zod 3 or 4; the received value, which its sentence may hold, is never taken along. */
export function fromZod(value: Json): Issue {
  const message = (stringAt(value, "message") ?? "").slice(0, 240);
  const expected = stringAt(value, "expected") ?? EXPECTED.exec(message)?.[1];
  return { pointer: pointerOf(value), rule: ruleOf(value, message), ...(expected !== undefined && { expected }) };
}

/**
 * Reads what a REST body flags: issues of Zod, or looser ones with `field`, or lines `path: message`.
 * A sentence that tells no expectation is one itself, since there is no other place that it stands in.
 */
export function fromErrors(values: readonly unknown[]): Issue[] {
  return values.slice(0, MAX.issues).flatMap((value) => {
    const error = typeof value === "string" ? splitLine(value) : value;
    if (!isJson(error)) return [];
    const issue = fromZod(error);
    const said = (stringAt(error, "message") ?? "").slice(0, 240).replace(/,? received .*$/i, "");
    const plain = said === "" || Object.values(SAID).some((words) => said.startsWith(words));
    return [issue.expected !== undefined || plain ? issue : { ...issue, expected: said }];
  });
}

function splitLine(line: string): Json | undefined {
  const [, path, message] = /^([\p{L}\p{N}_$.[\]-]{1,200}): (.*)$/u.exec(line.slice(0, 500)) ?? [];
  return path === undefined ? undefined : { path, message };
}

function pointerOf(value: Json): string {
  const path = memberAt(value, "path") ?? memberAt(value, "field");
  if (Array.isArray(path))
    return toPointer(path.slice(0, 64).filter((key) => typeof key === "string" || typeof key === "number"));
  if (typeof path !== "string") return "";
  const head = path.slice(0, 1_024);
  return head.startsWith("/") ? head : toPointer(head.split(/[.[\]]/).filter((key) => key !== ""));
}

function ruleOf(value: Json, message: string): IssueRule {
  const code = stringAt(value, "code") ?? "";
  const rule = Object.hasOwn(RULE_OF, code) ? RULE_OF[code] : undefined;
  if (code === "invalid_type" && isMissing(value, message)) return "required";
  if (code.startsWith("too_") && rule !== undefined && isMeasured(value, message)) return "length";
  return rule ?? "custom";
}

/** Zod has no code for a missing argument: it is one of the wrong type that was received as undefined. */
function isMissing(value: Json, message: string): boolean {
  return stringAt(value, "received") === "undefined" || /^required\b|received undefined$/i.test(message);
}

/** Version 4 tells in `origin` what is too small or too big, version 3 in `type`; without either, the words do. */
function isMeasured(value: Json, message: string): boolean {
  const what = stringAt(value, "origin") ?? stringAt(value, "type");
  return what === undefined ? /character|item|element|entr(?:y|ies)\b|length/i.test(message) : MEASURED.includes(what);
}

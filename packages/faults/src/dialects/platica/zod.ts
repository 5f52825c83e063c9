import { type Issue, type IssueRule, MAX } from "../../fault/fault.ts";
import { fromPointer } from "../../fault/pointer.ts";
import { isObject, type JsonObject, stringAt } from "../../json/read.ts";
import { fromZod, MAX_ZOD_MESSAGE, NO_DISCRIMINATOR, ruleCode } from "../zod.ts";

type Bound = "range" | "length";

/** The Zod 4 code of each rule, unless the issue says more. The code of a bound depends on its end, so bounds are not here. */
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

// An author may describe a bound without saying which end was passed. If the words name one end, it is that one.
const AT_LEAST = /[>≥]|\bat least\b|\b(?:more|greater) than\b|\bmin/i;
const AT_MOST = /[<≤]|\bat most\b|\b(?:no more|less) than\b|\bup to\b|\bmax/i;

/** The Zod code of an issue. A bound whose end is unknown is `custom`, neither too small nor too big. */
export function zodCodeOf({ rule, expected = "", code }: Issue): string {
  const known = code === "invalid_union" && rule !== "unknown" ? code : ruleCode(rule, code);
  if (known !== undefined) return known;
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

/** An expectation that is a sentence of its own, such as “Must be a day on or after the first”. */
const SENTENCE = /^\p{Lu}\p{Ll}|^must\b/u;

/** Writes an issue as a Zod issue. */
export function toZod(
  issue: Issue,
): JsonObject & { readonly path: readonly (string | number)[]; readonly message: string } {
  const code = zodCodeOf(issue);
  const { expected, suggestion, keys } = issue;
  const hint = suggestion === undefined ? "" : `; did you mean "${suggestion.replaceAll('"', "'")}"?`;
  return {
    path: zodPathOf(issue.pointer),
    // The full stop marks our message. One of Zod's own may end with the received value instead.
    message:
      expected === undefined
        ? `${ZOD_MESSAGES[issue.rule]}${hint}`
        : `${ZOD_MESSAGES[issue.rule]}: ${SENTENCE.test(expected) ? "" : "expected "}${expected}${hint || "."}`,
    code,
    ...(expected !== undefined && { expected }),
    ...(code.startsWith("too_") && { origin: zodOriginOf(issue) }),
    ...(code === "invalid_union" && issue.rule === "choice" && { note: NO_DISCRIMINATOR }),
    // Zod's path leads to the object that has the key.
    ...(code === "unrecognized_keys" && keys !== undefined && { keys }),
  };
}

/** The text of an issue: `path: message`, with a line for each unknown key, whose path ends with the key. */
export function zodText({ path, message, keys }: ReturnType<typeof toZod>): string {
  const paths = Array.isArray(keys) ? keys.map((key) => [...path, key]) : [path];
  return paths.map((keysTo) => (keysTo.length === 0 ? message : `${keysTo.join(".")}: ${message}`)).join("\n");
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
    const message = (stringAt(error, "message") ?? "").slice(0, MAX_ZOD_MESSAGE).replace(/,? received .*$/i, "");
    const isKnown = message === "" || Object.values(ZOD_MESSAGES).some((known) => message.startsWith(known));
    return [issue.expected !== undefined || isKnown ? issue : { ...issue, expected: message }];
  });
}

function splitLine(line: string): JsonObject | undefined {
  const [, path, message] = /^([\p{L}\p{N}_$.[\]-]{1,200}): (.*)$/u.exec(line.slice(0, 500)) ?? [];
  return path === undefined ? undefined : { path, message };
}

import { asArray, isRecord, own, ownArray, ownString } from "../errors/peek.ts";
import type { IssueCode, IssueRule } from "../fault/fault.ts";
import { MEASURED_TYPES, ruleCode, ZOD_RULES } from "../fault/zod-codes.ts";
import { fromPointer, toPointer } from "../wire/json.ts";
import type { ArgumentPath } from "./check.ts";
import { decodeUri } from "./scope.ts";

const MAX_REPORTED_PATHS = 100;
const MAX_PATH_KEYS = 64;
const MAX_POINTER_LENGTH = 4_096;

/** Members in which Ajv names a key that is missing or too many, below the place that it reports. */
const KEY_MEMBERS = ["missingProperty", "additionalProperty", "unevaluatedProperty", "propertyName"];

/**
 * The paths at which a validator reports that arguments fail: Standard Schema, Zod 3 and 4, Ajv and similar ones.
 * Takes a list of issues or what holds one. A path ends where it stops making sense.
 */
export function validatorPaths(issues: unknown): ArgumentPath[] {
  return reportedIssues(issues).flatMap(pathsIn).slice(0, MAX_REPORTED_PATHS);
}

function reportedIssues(issues: unknown): readonly unknown[] {
  const list = asArray(issues) ?? asArray(own(issues, "issues")) ?? ownArray(issues, "errors");
  return firstMembers(list, MAX_REPORTED_PATHS).filter(isRecord);
}

function pathsIn(issue: unknown): readonly ArgumentPath[] {
  const path =
    fromSegments(own(issue, "path")) ??
    fromLocation(ownString(issue, "instancePath") ?? ownString(issue, "instanceLocation") ?? "");
  const named = KEY_MEMBERS.map((member) => ownString(own(issue, "params"), member));
  // Zod names all keys that are too many in one issue of their parent.
  const extra = own(issue, "code") === "unrecognized_keys" ? firstMembers(ownArray(issue, "keys"), MAX_PATH_KEYS) : [];
  const keys = [...named, ...extra].filter((key) => typeof key === "string");
  return keys.length === 0 ? [path] : keys.map((key) => [...path, key]);
}

/** Keys, or objects that hold one: Standard Schema allows both. */
function fromSegments(value: unknown): ArgumentPath | undefined {
  const list = asArray(value);
  if (list === undefined) return undefined;
  const path: (string | number)[] = [];
  for (const segment of firstMembers(list, MAX_PATH_KEYS)) {
    const key = isRecord(segment) ? own(segment, "key") : segment;
    if (typeof key !== "string" && typeof key !== "number") break;
    path.push(key);
  }
  return path;
}

function fromLocation(pointer: string): ArgumentPath {
  if (pointer.length > MAX_POINTER_LENGTH) return [];
  return fromPointer(pointer.startsWith("#") ? decodeUri(pointer) : pointer).slice(0, MAX_PATH_KEYS);
}

/** The first members of a list, read without running anything. */
function firstMembers(list: readonly unknown[], most: number): readonly unknown[] {
  const length = own(list, "length");
  const count = typeof length === "number" ? Math.min(length, most) : 0;
  return Array.from({ length: count }, (_, index) => own(list, index));
}

export interface ReportedRule {
  readonly rule: IssueRule;
  readonly code?: IssueCode;
}

/** What the schema's author says: a sentence, or what the argument must be. */
export interface ReportedMessage extends Partial<ReportedRule> {
  readonly path: ArgumentPath;
  readonly text?: string;
  readonly expected?: string;
}

/**
 * Rules that say nothing more than the schema does. If the published schema allows the value, the type is wrong only after
 * the tool's own conversion, and "wrong type" would mislead the caller.
 */
const UNTOLD_RULES: readonly IssueRule[] = ["type", "unknown", "custom"];

/** The types of Valibot's issues and the codes of ArkType's. The schema knows them, unless it is asked which of several. */
const RULES_BY_TYPE: readonly (readonly [types: RegExp, rule: IssueRule])[] = [
  [/^(?:min|max|not|exact)_?length$|^length$|^non_empty$|_(?:graphemes|words|bytes|entries)$/i, "length"],
  [/^(?:(?:min|max|gt|lt|not)_value|value|multiple_of|min|max|divisor)$/, "range"],
  [
    /^(?:regex|pattern|email|url|uuid|ulid|iso_\w+|ip(?:v[46])?|credit_card|hexadecimal|digits|starts_with|ends_with)$/,
    "format",
  ],
  [/^(?:picklist|enum|literal|unit)$/, "choice"],
];

export function ruleOfIssue(issue: unknown): ReportedRule | undefined {
  const code = ownString(issue, "code") ?? "";
  const known = Object.hasOwn(ZOD_RULES, code) ? ZOD_RULES[code] : undefined;
  if (known !== undefined) return UNTOLD_RULES.includes(known) ? undefined : ruleOfZodCode(issue, known, code);
  const type = code === "" ? (ownString(issue, "type") ?? "") : code;
  const rule = RULES_BY_TYPE.find(([types]) => types.test(type))?.[1];
  return rule && { rule };
}

function ruleOfZodCode(issue: unknown, known: IssueRule, code: string): ReportedRule {
  const origin = ownString(issue, "origin") ?? ownString(issue, "type") ?? "";
  const rule = code.startsWith("too_") && MEASURED_TYPES.includes(origin) ? "length" : known;
  const detail = ruleCode(rule, code);
  return { rule, ...(detail !== undefined && { code: detail }) };
}

/** The rules that a validator says were broken, by the pointer of the argument: the first of each. Its sentences are not read. */
export function validatorRules(issues: unknown): ReadonlyMap<string, ReportedRule> {
  const rules = new Map<string, ReportedRule>();
  for (const issue of reportedIssues(issues)) {
    const known = ruleOfIssue(issue);
    if (known === undefined) continue;
    for (const path of pathsIn(issue)) {
      const pointer = toPointer(path);
      if (!rules.has(pointer)) rules.set(pointer, known);
    }
  }
  return rules;
}

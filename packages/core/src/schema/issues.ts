import { asArray, hasOwn, isRecord, own } from "../errors/peek.ts";
import { FAULT_LIMITS, type Issue, type IssueCode, type IssueRule, PLAIN_KEY } from "../fault/fault.ts";
import { toLine } from "../safety/line.ts";
import { toPointer } from "../wire/json.ts";
import { type ArgumentPath, checkValue, type SchemaProblem, unionCode } from "./check.ts";
import { describeSchema, formPhrase, keysPhrase, suggestName } from "./describe.ts";
import { allowedChoices, allowedTypes, readFormat, readPatterns } from "./keywords.ts";
import { findMember, knownKeys } from "./members.ts";
import { hasGivenUp, type JsonSchema, MAX_CHECK_DEPTH, type Scope, schemaParts, startScope } from "./scope.ts";
import type { ReportedMessage, ReportedRule } from "./validator.ts";

const MAX_PATHS = 100;
/** Characters for the way from a key that the caller made up to the place of a problem. */
const MAX_WAY_LENGTH = 40;
const MAX_INDEX = 1_000_000;
/** More of what an author says is not looked at. */
const MAX_AUTHORED_TEXT = 2_000;

/**
 * Checks arguments against a JSON Schema. Returns what is wrong, by place and rule, and nothing if they satisfy it.
 * No issue holds a received value. Of the keys that the schema does not name, only plain names are shown.
 *
 * The work of a check is limited. Arguments that are too large or too deep to be checked are refused. What the check does
 * not know counts as valid: patterns that could stall the server, references to other documents. A hostile schema can
 * neither stall nor break the check.
 *
 * @example
 * ```ts
 * checkArguments({ n: "5" }, { type: "object", properties: { n: { type: "integer" } } });
 * // [{ pointer: "/n", rule: "type", expected: "an integer" }]
 * ```
 */
export function checkArguments(args: unknown, schema: JsonSchema): readonly Issue[] {
  const { issues, isComplete } = explainRefusal(args, { schema, paths: [] });
  return issues.length === 0 && !isComplete ? [TOO_COMPLEX] : issues;
}

/** Work for a look at arguments that were refused already: large ones are not worth more. */
const GLANCE_WORK = 10_000;

/**
 * What is wrong with arguments that other code has refused, as far as a quick look at them shows. Nothing means that it
 * is not known.
 */
export function glanceAtArguments(args: unknown, schema: JsonSchema): readonly Issue[] {
  return explainRefusal(args, { schema, paths: [], work: GLANCE_WORK }).issues;
}

/** Stands for what is wrong with arguments that cannot be checked to their end. */
const TOO_COMPLEX: Issue = {
  pointer: "",
  rule: "custom",
  expected: "arguments with fewer values, or less nested ones",
};

/**
 * The issues of arguments that a validator refused at some paths, described from the schema of the tool.
 * Without a path that leads anywhere, the arguments are checked here. If the schema finds nothing, the rule that the
 * validator reported counts.
 */
export function issuesFor(
  args: unknown,
  schema: JsonSchema | undefined,
  paths: readonly ArgumentPath[],
  reported: Pick<RefusedArguments, "rules" | "messages"> = {},
): Issue[] {
  return explainRefusal(args, { schema, paths, ...reported }).issues;
}

interface RefusedArguments {
  readonly schema: JsonSchema | undefined;
  readonly paths: readonly ArgumentPath[];
  readonly rules?: ReadonlyMap<string, ReportedRule>;
  /** What the author of the schema says, at other places than `paths` or beside what was reported there. */
  readonly messages?: readonly ReportedMessage[];
  /** How much may be done to find the issues. */
  readonly work?: number;
}

interface Explained {
  readonly issues: Issue[];
  /** All was checked that the check knows. */
  readonly isComplete: boolean;
}

function explainRefusal(
  args: unknown,
  { schema, paths, rules = new Map(), messages = [], work }: RefusedArguments,
): Explained {
  try {
    const root = schema ?? true;
    const scope = startScope(root, work);
    const said = messages.slice(0, MAX_PATHS).map((message) => messageProblem(scope, args, message));
    const isAllSaid = paths.length === 0 && said.length > 0;
    const found = isAllSaid ? [] : problemsAt(scope, args, paths.slice(0, MAX_PATHS), said);
    const problems = found
      .map((problem) => withReportedRule(problem, rules))
      .filter((problem) => !said.some((one) => isSaidBy(one, problem)));
    const issues = toIssues(root, args, [...problems, ...said]);
    return { issues, isComplete: !hasGivenUp(scope) };
  } catch {
    // Nothing above is known to throw. If something does, the refusal still goes out, without issues.
    return { issues: [], isComplete: false };
  }
}

/** The problem for which the author of the schema has a sentence. Which rule was broken, the schema may know better. */
function messageProblem(scope: Scope, args: unknown, { rule, code, ...said }: ReportedMessage): SchemaProblem {
  const place = locateArgument(scope, args, said.path);
  const message = {
    path: place.path,
    ...(said.text !== undefined && { message: said.text.slice(0, MAX_AUTHORED_TEXT) }),
    ...(said.expected !== undefined && { expected: said.expected.slice(0, MAX_AUTHORED_TEXT) }),
  };
  if (place.state !== "present") return { ...message, rule: place.state === "missing" ? "required" : "unknown" };
  const found = checkPlace(scope, place, { isDeep: false }).filter((one) => one.path.length === place.path.length);
  const known = found.find((one) => one.rule === rule) ?? (rule === undefined ? found[0] : { rule, code });
  return { rule: "custom", ...known, ...message };
}

/** Whether the sentence of an author says already what is wrong. */
function isSaidBy(said: SchemaProblem, { path, rule, expected }: SchemaProblem): boolean {
  const isSame = said.rule === rule || (rule === "custom" && expected === undefined);
  return isSame && toPointer(said.path) === toPointer(path);
}

function problemsAt(
  scope: Scope,
  args: unknown,
  paths: readonly ArgumentPath[],
  said: readonly SchemaProblem[],
): readonly SchemaProblem[] {
  // That something is wrong somewhere explains nothing.
  if (paths.every((path) => path.length === 0)) {
    const problems = checkPlace(scope, startPlace(scope, args), { isDeep: true });
    return problems.length === 0 && paths.length > 0 ? [unexplained(scope, startPlace(scope, args))] : problems;
  }
  return paths.flatMap((path) => {
    const place = locateArgument(scope, args, path);
    if (place.state !== "present")
      return [{ path: place.path, rule: place.state === "missing" ? "required" : "unknown" }];
    const problems = checkPlace(scope, place, { isDeep: false });
    // Validators repeat a failure at each object around it; the innermost path explains it best.
    const isInner = (other: ArgumentPath) => isBelow(other, path);
    if (problems.length > 0 || paths.some(isInner) || said.some((one) => isInner(one.path))) return problems;
    const deeper = checkPlace(scope, place, { isDeep: true });
    return deeper.length > 0 ? deeper : [unexplained(scope, place)];
  });
}

function isBelow(path: ArgumentPath, above: ArgumentPath): boolean {
  return path.length > above.length && above.every((key, index) => String(key) === String(path[index]));
}

/** Where a path leads, as far as the schema and the arguments both go. */
interface SchemaPlace {
  /** Ends with the key that is missing or unknown, if one is. */
  readonly path: ArgumentPath;
  readonly node: unknown;
  readonly value: unknown;
  readonly state: "present" | "missing" | "unknown";
}

function startPlace(scope: Scope, args: unknown): SchemaPlace {
  return { path: [], node: scope.root, value: args, state: "present" };
}

function locateArgument(scope: Scope, args: unknown, path: ArgumentPath): SchemaPlace {
  let place = startPlace(scope, args);
  for (const segment of path.slice(0, MAX_CHECK_DEPTH)) {
    const { node, value } = place;
    const isList = asArray(value) !== undefined;
    const key = isList ? indexOf(segment) : String(segment);
    if (key === undefined || (!isList && !isRecord(value))) break;
    const member = findMember(scope, node, value, key);
    const isPresent = hasOwn(value, key);
    const below = { path: [...place.path, key], node: member?.node, value: own(value, key) };
    if (member?.isNamed === true && !isPresent) return { ...below, state: "missing" };
    if (member === undefined && isPresent && !isList && hasKeys(scope, node, value))
      return { ...below, state: "unknown" };
    if (member === undefined || !isPresent) break;
    place = { ...below, state: "present" };
  }
  return place;
}

/** A schema that names no keys and forbids none calls no key unknown. */
function hasKeys(scope: Scope, node: unknown, value: unknown): boolean {
  const isClosed = schemaParts(scope, node).some((part) => own(part, "additionalProperties") === false);
  return isClosed || knownKeys(scope, node, value).length > 0;
}

function indexOf(segment: string | number): number | undefined {
  const index = typeof segment === "number" || /^(?:0|[1-9]\d{0,5})$/.test(segment) ? Number(segment) : -1;
  return Number.isSafeInteger(index) && index >= 0 && index < MAX_INDEX ? index : undefined;
}

function checkPlace(
  scope: Scope,
  { path, node, value }: SchemaPlace,
  { isDeep }: { isDeep: boolean },
): readonly SchemaProblem[] {
  return checkValue({ scope, path, isDeep, depth: 0 }, node, value);
}

/** The schema allows the value and the validator does not: a form that only it can check, or a rule of its own. */
function unexplained(scope: Scope, { path, node, value }: SchemaPlace): SchemaProblem {
  const parts = schemaParts(scope, node);
  const hasForm = readFormat(parts) !== undefined || readPatterns(parts).length > 0;
  if (typeof value !== "string" || !hasForm) return { path, rule: "custom" };
  return { path, rule: "format", expected: formPhrase(parts) };
}

function withReportedRule(problem: SchemaProblem, rules: ReadonlyMap<string, ReportedRule>): SchemaProblem {
  return problem.rule === "custom" ? { ...problem, ...rules.get(toPointer(problem.path)) } : problem;
}

function toIssues(root: unknown, args: unknown, problems: readonly SchemaProblem[]): Issue[] {
  const report: IssueContext = { scope: startScope(root), args };
  const issues = problems.map((problem) => toIssue(report, problem));
  const equal = Map.groupBy(issues, ({ keys: _keys, ...issue }) => JSON.stringify(issue));
  return [...equal.values()].map(joinKeys).slice(0, FAULT_LIMITS.issues);
}

/** One issue for several that differ only by the name of an unknown argument. */
function joinKeys(issues: readonly Issue[]): Issue {
  const [first = { pointer: "", rule: "custom" }] = issues;
  const keys = [...new Set(issues.flatMap((issue) => issue.keys ?? []))].slice(0, FAULT_LIMITS.issueKeys);
  return keys.length === 0 ? first : { ...first, keys };
}

interface IssueContext {
  readonly scope: Scope;
  readonly args: unknown;
}

/** Rules that, without a phrase, would be read as rules about the object that holds a key. */
const ABOUT_VALUE: readonly IssueRule[] = ["length", "range", "choice", "format"];

/**
 * The issue of a problem. This is the only way from a path to a pointer, and it
 * shows no key that the caller made up: what is wrong below such a key is reported for the object that holds the key. Only
 * the name of an unknown argument is added, and building the fault drops it unless it is a plain name.
 */
function toIssue({ scope, args }: IssueContext, problem: SchemaProblem): Issue {
  const { path, rule, schema, code, message, ...phrases } = problem;
  let [node, value] = [scope.root, args];
  const shown: (string | number)[] = [];
  let hidden: (string | number)[] | undefined;
  for (const key of rule === "unknown" ? path.slice(0, -1) : path) {
    const member = findMember(scope, node, value, key);
    if (typeof key === "string" && member?.isNamed !== true) hidden = [];
    else (hidden ?? shown).push(key);
    [node, value] = [member?.node, own(value, key)];
  }
  const { expected, suggestion } =
    rule === "unknown" ? unknownKeyPhrases(scope, { node: schema ?? node, value, key: path.at(-1) }) : phrases;
  const phrase = rule === "required" ? (expected ?? describeSchema(scope, node)) : expected;
  const way = hidden === undefined || hidden.length === 0 ? "" : `${hidden.join(".").slice(0, MAX_WAY_LENGTH)} of `;
  const suffix = hidden === undefined ? "" : ` for ${way}each value`;
  const isVague = hidden !== undefined && (rule === "required" || (phrase === undefined && ABOUT_VALUE.includes(rule)));
  return {
    pointer: toPointer(shown),
    // The object itself is there; what is missing is somewhere in it.
    rule: isVague ? "custom" : rule,
    ...(phrase !== undefined && { expected: `${toLine(phrase, FAULT_LIMITS.issueText - suffix.length)}${suffix}` }),
    ...(message !== undefined && { message }),
    ...(suggestion !== undefined && { suggestion }),
    ...issueDetail({
      scope,
      node,
      rule: hidden === undefined ? rule : "custom",
      code: isVague ? undefined : code,
      key: path.at(-1),
    }),
  };
}

/** What is said of an issue beside its rule: how the rule was broken, or the name of an unknown argument. */
function issueDetail({ scope, node, rule, code, key }: IssueFacts): Pick<Issue, "code" | "keys"> {
  if (rule === "unknown") return typeof key === "string" && PLAIN_KEY.test(key) ? { keys: [key] } : {};
  // A missing argument is not one of the choices either, and fits no alternative.
  const known = rule === "required" ? (code ?? missingCode(scope, node)) : code;
  return known === undefined ? {} : { code: known };
}

interface IssueFacts extends Pick<SchemaProblem, "rule" | "code"> {
  readonly scope: Scope;
  readonly node: unknown;
  readonly key: string | number | undefined;
}

function missingCode(scope: Scope, node: unknown): IssueCode | undefined {
  const parts = schemaParts(scope, node);
  const union = unionCode(scope, parts, allowedTypes(scope, parts));
  return union ?? (allowedChoices(scope, parts) === undefined ? undefined : "invalid_value");
}

/** The key that was meant by one that the schema does not have, or else the keys that it has. */
function unknownKeyPhrases(scope: Scope, { node, value, key }: { node: unknown; value: unknown; key: unknown }) {
  const known = knownKeys(scope, node, value);
  // A key that was given too is not the one that was meant.
  const free = known.filter((name) => !hasOwn(value, name));
  const suggestion = suggestName(scope, key, free);
  return { suggestion, expected: suggestion === undefined ? keysPhrase(known) : undefined };
}

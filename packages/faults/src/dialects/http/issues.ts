import { type Issue, type IssueRule, MAX } from "../../fault/fault.ts";
import { toPointer } from "../../fault/pointer.ts";
import { arrayAt, isJson, type Json, memberAt, objectAt, stringAt } from "../wire.ts";
import { googleDetail } from "./codes.ts";

// Field errors in the shapes that services use. Only the place and the rule are taken; what they wrote never is.

type Path = readonly (string | number)[];

/** The words in codes that tell which rule was broken; the first that occurs counts. */
const RULE_WORDS: readonly (readonly [form: RegExp, rule: IssueRule])[] = [
  [/unknown|unrecogni[sz]ed|unexpected|extra|additional|not_?allowed|prohibited/i, "unknown"],
  [/required|missing|blank|empty|presence|not_?null/i, "required"],
  [/exist|unique|taken|duplicate/i, "duplicate"],
  [/enum|choice|inclusion|one_?of|invalid_(?:option|value|union)|literal/i, "choice"],
  [/length|too_?(?:long|short)|size|max_?items|min_?items/i, "length"],
  [/range|minimum|maximum|too_?(?:big|small|large|high|low)|greater|less|(?:^|_)(?:min|max)(?:$|_)/i, "range"],
  [/type/i, "type"],
  [/format|pattern|regex|parse|parsing|invalid_string|email|url|uuid|date/i, "format"],
];

/** The rule behind a code of a validator; `custom` where it does not tell. */
export function ruleOf(code: unknown): IssueRule {
  if (typeof code !== "string" || code.length > 128) return "custom";
  return RULE_WORDS.find(([form]) => form.test(code))?.[1] ?? "custom";
}

/** The problems with arguments that a body tells of. */
export function issuesOf(body: unknown): readonly Issue[] {
  const error = objectAt(body, "error");
  const lists = [
    arrayAt(googleDetail(body, "BadRequest"), "fieldViolations"),
    ...[body, error].flatMap((from) => LISTS.map((name) => arrayAt(from, name))),
    arrayAt(objectAt(body, "details"), "causes"),
    Array.isArray(body) ? body : [],
  ];
  const found = lists.map((list) => list.slice(0, MAX.issues).flatMap(ofItem)).find((issues) => issues.length > 0);
  return (
    found ??
    firstOf(
      ofParam(error),
      ofRecord(objectAt(body, "errors")),
      ofRecord(objectAt(error, "errors")),
      ofDjango(objectAt(body, "message")),
      ofDjango(body),
    )
  );
}

/** Members that hold a list of field errors, in the order in which they are looked at. */
const LISTS = ["errors", "issues", "violations", "fieldErrors", "field_errors", "detail", "details"];

function firstOf(...found: readonly (readonly Issue[])[]): readonly Issue[] {
  return found.find((issues) => issues.length > 0) ?? [];
}

/** One field error of a list, by whichever member names the place. */
function ofItem(item: unknown): readonly Issue[] {
  if (!isJson(item)) return [];
  const pointer = placeOf(item);
  if (pointer === undefined) return [];
  const code = ["code", "type", "rule", "reason", "keyword"].map((name) => stringAt(item, name)).find(Boolean);
  return [{ pointer, rule: ruleOf(code) }];
}

function placeOf(item: Json): string | undefined {
  const source = objectAt(item, "source");
  const pointer = stringAt(item, "pointer") ?? stringAt(source, "pointer") ?? stringAt(item, "instancePath");
  if (pointer !== undefined) return fromText(pointer);
  const loc = memberAt(item, "loc");
  if (isPath(loc)) return toPointer(PARTS.includes(String(loc[0])) ? loc.slice(1) : loc);
  const name = ["field", "param", "propertyPath", "property"].map((key) => stringAt(item, key)).find(Boolean);
  if (name !== undefined) return fromText(name);
  // An error of GraphQL has a path too, but it lies in the answer, not in the arguments.
  if (Object.hasOwn(item, "extensions") || Object.hasOwn(item, "locations")) return undefined;
  const path = memberAt(item, "path");
  if (isPath(path)) return toPointer(path);
  const text = stringAt(item, "path") ?? stringAt(source, "parameter");
  return text === undefined ? undefined : fromText(text);
}

/** The parts of a request that stand before the path of a field. */
const PARTS = ["body", "query", "path", "header", "cookie"];

function isPath(value: unknown): value is Path {
  return Array.isArray(value) && value.length <= 32 && value.every((key) => ["string", "number"].includes(typeof key));
}

/** `{ param: "items[0][price]" }`. */
function ofParam(error: unknown): readonly Issue[] {
  const param = stringAt(error, "param");
  return param === undefined ? [] : [{ pointer: fromText(param), rule: ruleOf(stringAt(error, "code")) }];
}

/** `{ title: ["can't be blank"], "items.0.name": [...] }`. */
function ofRecord(record: Json | undefined): readonly Issue[] {
  return Object.entries(record ?? {})
    .slice(0, MAX.issues)
    .filter(([, said]) => typeof said === "string" || Array.isArray(said))
    .map(([name, said]) => {
      const code = stringAt(Array.isArray(said) ? said[0] : undefined, "error");
      return { pointer: WHOLE.includes(name) ? "" : fromText(name), rule: ruleOf(code) };
    });
}

/** Names that stand for the arguments as a whole. */
const WHOLE = ["base", "non_field_errors", "_errors", "__all__"];

/** An object that is nothing but lists of sentences by field. */
function ofDjango(body: unknown): readonly Issue[] {
  if (!isJson(body)) return [];
  const lists = Object.values(body);
  const isOne = lists.length <= 100 && lists.every((list) => Array.isArray(list) && list.every(isSentence));
  return isOne && !Object.hasOwn(body, "errors") ? ofRecord(body) : [];
}

function isSentence(value: unknown): boolean {
  return typeof value === "string";
}

/** A pointer, its fragment form, or a path with dots and brackets. */
function fromText(text: string): string {
  if (text.length > 512) return "";
  if (text.startsWith("#")) return decoded(text.slice(1));
  if (text === "" || text.startsWith("/")) return text;
  const path = text.replace(/^\$\.?/, "").replaceAll(/\[["']?([^[\]"']*)["']?\]/g, ".$1");
  return toPointer(path.split(".").filter((key) => key !== ""));
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return "";
  }
}

import { FAULT_LIMITS, type Issue, type IssueRule } from "../../fault/fault.ts";
import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt, toPointer } from "../../wire/json.ts";
import { googleDetail } from "./body.ts";

// Reads field errors in the shapes that services use: pointer, rule, and what the service says of the field.

type KeyPath = readonly (string | number)[];

/** The rule of each word in a validator's code. The first match counts. */
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

/** Returns the rule of a validator's code; `custom` if the code names none. */
export function ruleOfCode(code: unknown): IssueRule {
  if (typeof code !== "string" || code.length > 128) return "custom";
  return RULE_WORDS.find(([form]) => form.test(code))?.[1] ?? "custom";
}

/** Returns the field errors in a body. */
export function issuesInBody(body: unknown): readonly Issue[] {
  const error = objectAt(body, "error");
  const lists = [
    arrayAt(googleDetail(body, "BadRequest"), "fieldViolations"),
    ...[body, error].flatMap((from) => ISSUE_LISTS.map((name) => arrayAt(from, name))),
    arrayAt(objectAt(body, "details"), "causes"),
    Array.isArray(body) ? body : [],
  ];
  const found = lists
    .map((list) => list.slice(0, FAULT_LIMITS.issues).flatMap(issueOfItem))
    .find((issues) => issues.length > 0);
  return (
    found ??
    firstNonEmpty(
      issueOfParam(error),
      issuesOfRecord(objectAt(body, "errors")),
      issuesOfRecord(objectAt(error, "errors")),
      issuesOfSentences(objectAt(body, "message")),
      issuesOfSentences(body),
    )
  );
}

/** More of a sentence is not looked at. */
const MAX_FIELD_SENTENCE = 2_000;

/** The members that hold a list of field errors, in order of precedence. */
const ISSUE_LISTS = ["errors", "issues", "violations", "fieldErrors", "field_errors", "detail", "details"];

function firstNonEmpty(...found: readonly (readonly Issue[])[]): readonly Issue[] {
  return found.find((issues) => issues.length > 0) ?? [];
}

/** One field error of a list. Several members can name the field. */
function issueOfItem(item: unknown): readonly Issue[] {
  if (!isObject(item)) return [];
  const pointer = pointerOfItem(item);
  if (pointer === undefined) return [];
  const code = ["code", "type", "rule", "reason", "keyword"].map((name) => stringAt(item, name)).find(Boolean);
  const rule = isMissingArgument(item) ? "required" : ruleOfCode(code);
  return [
    {
      pointer,
      rule,
      ...saidOf(
        FIELD_SENTENCES.map((name) => stringAt(item, name))
          .filter(Boolean)
          .slice(0, 1),
      ),
    },
  ];
}

/** The members that hold what is said of one field, the most useful first. */
const FIELD_SENTENCES = ["msg", "detail", "message", "description", "error", "title"];
/** Sentences about one field that are read. */
const MAX_FIELD_SENTENCES = 3;
/** What Pydantic puts before a sentence that an author threw. */
const PYDANTIC_PREFIX = /^(?:Value error|Assertion failed), /;

/** The `message` of an issue, of one or several sentences. */
function saidOf(sentences: readonly unknown[]): Pick<Issue, "message"> {
  const texts = sentences
    .slice(0, MAX_FIELD_SENTENCES)
    .filter((text) => typeof text === "string" && text.trim() !== "");
  const message = texts
    .map((text, index) =>
      String(text)
        .slice(0, MAX_FIELD_SENTENCE)
        .trim()
        .replace(PYDANTIC_PREFIX, "")
        .replace(index < texts.length - 1 ? /\.$/ : /(?!)/, ""),
    )
    .join("; ");
  return message === "" ? {} : { message };
}

function pointerOfItem(item: JsonObject): string | undefined {
  const source = objectAt(item, "source");
  const pointer = stringAt(item, "pointer") ?? stringAt(source, "pointer") ?? stringAt(item, "instancePath");
  if (pointer !== undefined) return pointerFromText(pointer);
  const loc = memberAt(item, "loc");
  if (isKeyPath(loc)) return toPointer(REQUEST_PARTS.includes(String(loc[0])) ? loc.slice(1) : loc);
  const name = ["field", "param", "propertyPath", "property"].map((key) => stringAt(item, key)).find(Boolean);
  if (name !== undefined) return pointerFromText(name);
  // The path of a GraphQL error points into the result, not into the arguments.
  if (Object.hasOwn(item, "extensions") || Object.hasOwn(item, "locations")) return undefined;
  const path = memberAt(item, "path");
  if (isKeyPath(path)) return toPointer(path);
  const text = stringAt(item, "path") ?? stringAt(source, "parameter");
  return text === undefined ? undefined : pointerFromText(text);
}

/** The parts of a request, which may come first in the path of a field. */
const REQUEST_PARTS = ["body", "query", "path", "header", "cookie"];

function isKeyPath(value: unknown): value is KeyPath {
  return Array.isArray(value) && value.length <= 32 && value.every((key) => ["string", "number"].includes(typeof key));
}

/** `{ param: "items[0][price]" }`. */
function issueOfParam(error: unknown): readonly Issue[] {
  const param = stringAt(error, "param");
  if (param === undefined) return [];
  const rule = ruleOfCode(stringAt(error, "code"));
  return [{ pointer: pointerFromText(param), rule, ...saidOf([stringAt(error, "message")]) }];
}

/** `{ title: ["can't be blank"], "items.0.name": [...] }`. */
function issuesOfRecord(record: JsonObject | undefined): readonly Issue[] {
  return Object.entries(record ?? {})
    .slice(0, FAULT_LIMITS.issues)
    .filter(([, errors]) => typeof errors === "string" || Array.isArray(errors))
    .map(([name, errors]) => {
      const all = Array.isArray(errors) ? errors : [errors];
      const rule = ruleOfCode(stringAt(all[0], "error"));
      const said = all
        .slice(0, MAX_FIELD_SENTENCES)
        .map((one) => (typeof one === "string" ? one : stringAt(one, "message")));
      return { pointer: WHOLE_INPUT_NAMES.includes(name) ? "" : pointerFromText(name), rule, ...saidOf(said) };
    });
}

/** Names that mean the arguments as a whole. */
const WHOLE_INPUT_NAMES = ["base", "non_field_errors", "_errors", "__all__"];

/** Django: an object whose members are all lists of sentences. */
function issuesOfSentences(body: unknown): readonly Issue[] {
  if (!isObject(body)) return [];
  const lists = Object.values(body);
  const isRecord = lists.length <= 100 && lists.every((list) => Array.isArray(list) && list.every(isString));
  return isRecord && !Object.hasOwn(body, "errors") ? issuesOfRecord(body) : [];
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

/** Reads a pointer, its fragment form, or a path with dots and brackets. */
function pointerFromText(text: string): string {
  if (text.length > 512) return "";
  if (text.startsWith("#")) return decodeFragment(text.slice(1));
  if (text === "" || text.startsWith("/")) return text;
  const path = text.replace(/^\$\.?/, "").replaceAll(/\[["']?([^[\]"']*)["']?\]/g, ".$1");
  return toPointer(path.split(".").filter((key) => key !== ""));
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return "";
  }
}

/** The codes that Zod has for a missing argument: that of a wrong type, a wrong choice, or of no fitting alternative. */
const MISSING_CODES: readonly unknown[] = ["invalid_type", "invalid_value", "invalid_union"];

/** Zod has no code for a missing argument. It reports the wrong type, with undefined as the received value. */
export function isMissingArgument(value: JsonObject, message = stringAt(value, "message") ?? ""): boolean {
  if (!MISSING_CODES.includes(value["code"])) return false;
  return value["received"] === "undefined" || /^required\b|received undefined$/i.test(message);
}

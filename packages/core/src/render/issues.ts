// What is wrong with the arguments of a call, in words.

import type { Fault, Issue, IssueRule, Quote } from "../fault/fault.ts";
import { readProvenance } from "../fault/provenance.ts";
import { inQuotes } from "../reasons/template.ts";
import { toLine } from "../safety/line.ts";
import { fromPointer } from "../wire/json.ts";

/**
 * Double quotation marks that a reader could take for the ones of a quotation, with the single ones that English writes
 * inside a quotation. Straight marks stay as they are: names are copied with them.
 */
const SINGLE_MARKS: Readonly<Record<string, string>> = {
  "“": "‘",
  "”": "’",
  "„": "‚",
  "‟": "‛",
  "❝": "❛",
  "❞": "❜",
  "〝": "‘",
  "〞": "’",
  "〟": "’",
  "＂": "＇",
};
const DOUBLE_MARKS = new RegExp(`[${Object.keys(SINGLE_MARKS).join("")}]`, "g");

/** Puts a text between quotation marks that it cannot contain, so that it cannot end the quotation. */
export function quoteForeign(text: string): string {
  return `“${text.replace(DOUBLE_MARKS, (mark) => SINGLE_MARKS[mark] ?? "")}”`;
}

/** How the author of a quotation is named to each reader. For a model, it also says that this is a quotation. */
const SPEAKERS = {
  model: { thrown: "The tool said", peer: "Quote from the server", upstream: "Quote from the service" },
  person: { thrown: "The program said", peer: "The server said", upstream: "The service said" },
} as const satisfies Record<string, Record<Quote["from"], string>>;

/** A shorter part of a quotation does not help the reader. */
const MIN_QUOTE_LENGTH = 20;

interface QuoteOptions {
  /** The most characters of the quotation with its author. */
  readonly maxLength: number;
  /** Who reads it. @default "model" */
  readonly for?: keyof typeof SPEAKERS;
}

/**
 * A quotation with its author, cut to a length. Its quotation marks cannot occur in the text, so the text cannot end the
 * quotation.
 */
export function renderQuote(quote: Quote, { maxLength, for: reader = "model" }: QuoteOptions): string {
  const speaker = `${SPEAKERS[reader][quote.from]}: `;
  const maxText = maxLength - speaker.length - 2;
  return maxText < MIN_QUOTE_LENGTH ? "" : speaker + quoteForeign(toLine(quote.text, maxText));
}

/** What is wrong with an argument, if nothing says what it should be. */
const RULE_PHRASES = {
  required: "is required",
  type: "has the wrong type",
  format: "has the wrong format",
  range: "is out of range",
  length: "has the wrong length",
  choice: "is not one of the choices",
  unknown: "has an unknown argument",
  duplicate: "is given twice",
  custom: "is not accepted",
} as const satisfies Record<IssueRule, string>;

/** Rules that say what is wrong by themselves; what was expected stands behind them. */
const COMPLETE_RULES: readonly IssueRule[] = ["required", "unknown", "duplicate"];

/** More or longer issues than these stand on lines of their own. */
const MAX_INLINE = { issues: 3, length: 200 } as const;

/** Whose words the texts of issues are. Those of a sender stand in quotation marks that no text can close. */
export interface IssueOptions {
  readonly received: boolean;
  /** The words are those of a service, which this process chose to show: what it says of a field stays a quotation. */
  readonly released?: boolean;
}

export function issueOptions(fault: Fault): IssueOptions {
  const { texts, released = false } = readProvenance(fault) ?? {};
  return { received: texts === "sender", released };
}

/** The name of an argument: `/items/0/sku` is `items[0].sku`. */
export function argumentName(pointer: string): string {
  return fromPointer(pointer).reduce((path, key) => {
    if (/^\d{1,9}$/.test(key)) return `${path}[${key}]`;
    return path === "" ? key : `${path}.${key}`;
  }, "");
}

export function issueLines({ issues = [] }: Fault, options: IssueOptions): string[] {
  return issues.map((issue) => `- ${issuePhrase(issue, options)}`);
}

export function withoutNamedIssues(fault: Fault, message: string): Fault {
  const { issues } = fault;
  return issues === undefined ? fault : { ...fault, issues: issues.filter((issue) => !isNamedIn(message, issue)) };
}

/** The problems that a message does not name yet, as a part of its sentence; undefined if they need lines. */
export function inlineIssues(fault: Fault, message: string, options: IssueOptions): string | undefined {
  const { issues = [] } = withoutNamedIssues(fault, message);
  const phrases = issues.map((issue) => issuePhrase(issue, options));
  const text = phrases.join("; ");
  return phrases.length > MAX_INLINE.issues || text.length > MAX_INLINE.length ? undefined : text;
}

export function withIssues(message: string, problems: string): string {
  if (problems === "") return message;
  const isOneSentence = message.endsWith(".") && !/[.!?…] /.test(message);
  const start = isOneSentence ? `${message.slice(0, -1)}: ` : `${message} `;
  return start + problems + (/[.!?…]$/.test(problems) ? "" : ".");
}

/** A problem with an argument, such as `quantity must be an integer`. */
function issuePhrase(
  { pointer, rule, expected, message, suggestion }: Issue,
  { received, released = false }: IssueOptions,
): string {
  const quoted = (text: string) => (received ? quoteForeign(text) : text);
  const name = pointer === "" ? "" : quoted(argumentName(pointer));
  const meant = suggestion === undefined ? "" : ` (${suggested(suggestion, received)})`;
  if (message !== undefined) {
    const isNamed = name === "" || (!received && message.startsWith(`${name} `));
    const said = received || released ? quoteForeign(message) : message.replace(/\.$/, "");
    return `${isNamed ? "" : `${name}: `}${said}${meant}`;
  }
  if (expected === undefined || COMPLETE_RULES.includes(rule)) {
    const wanted = expected === undefined ? "" : ` (${quoted(expected)})`;
    return `${brokenRule(name, rule)}${wanted}${meant}`;
  }
  const subject = name === "" ? "the arguments" : name;
  if (/^\p{Lu}\p{Ll}|^must\b/u.test(expected)) return `${subject}: ${quoted(expected)}${meant}`;
  const verb = rule === "length" && /^(?:at (?:least|most)|exactly|\d)/.test(expected) ? "have" : "be";
  return `${subject} must ${verb} ${quoted(expected)}${meant}`;
}

function brokenRule(name: string, rule: IssueRule): string {
  if (name !== "") return `${name} ${RULE_PHRASES[rule]}`;
  return rule === "unknown" ? "an argument is unknown" : `the call ${RULE_PHRASES[rule]}`;
}

function suggested(name: string, received: boolean): string {
  return received ? `the server suggests ${quoteForeign(name)}` : `did you mean ${inQuotes(name)}?`;
}

function isNamedIn(message: string, { pointer, expected, message: said }: Issue): boolean {
  if (said !== undefined) return message.includes(said);
  if (expected !== undefined) return message.includes(expected);
  return pointer !== "" && message.includes(inQuotes(argumentName(pointer)));
}

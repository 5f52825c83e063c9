import { tokens } from "./tokens.ts";

/** What a text for a model has to be. */
export const CRITERIA = {
  subject:
    "The text names its subject: the tool, the order, the argument, the service. It does not say *it* or *one* instead.",
  move: "It says one thing to do, as an imperative. A second step follows only if the first may fail.",
  true: "Everything it says is correct. Waits are not shorter than they should be.",
  consistent:
    "No part contradicts another: no *repeat* together with *do not repeat*, no effect together with an unconditional retry.",
  short:
    "It has at most 60 tokens, not counting issues, quotations and the incident id. Times are in units that people use.",
} as const;

/** The name of a criterion. */
export type Criterion = keyof typeof CRITERIA;

const MAX_TOKENS = 60;

/** Sentences of ours begin with one of these where they say what to do. */
const IMPERATIVE =
  /^(?:Ask|Call|Check|Choose|Correct|Did you mean|Do not|Do first|Look|Repeat|Report|Resolve|Use|Wait)\b|, so do not /;
const PRONOUN = /(?:^|[.;:] )(?:it|one)\b|\b(?:another|this|such) one\b/i;
/** Sentences that do not say what they are about. A quotation behind them may. */
const GENERIC =
  /^(?:Not found|The call conflicts with the current state|The item [^.]*|What (?:the call|was) asked [^.]*|The arguments are \w+(?: \w+)?|The tool failed|Something else has to happen[^.]*|There is no such order)\. (?!.*[«“])/;
const ABBREVIATED = /\d (?:s|min|h|d)\b|\d{4,} ms\b/;
const CONTRADICTIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/\bRepeat this call\b/, /\bdo not repeat\b|\binstead of (?:calling|repeating)\b/i],
  [/\bcall again\b|(?<!not )\brepeat this call\b/i, /\bDo not repeat\b|\bdo not start over\b/],
  [/\btaken effect\b/, /\bRepeat this call\b|\bmay be repeated after\b/],
  [
    /\bmay succeed after\b|\bbefore repeating\b|(?<!not )\brepeat this call\b/i,
    /\bdo not start over\b|\bsame call will fail\b/,
  ],
];

/** The criteria that a program can see a text break. */
export function brokenRules(text: string): Criterion[] {
  const own = ownWords(text);
  const sentences = own.split(/(?<=[.?!]) /);
  const moves = sentences.filter((sentence) => IMPERATIVE.test(sentence));
  const broken: Criterion[] = [];
  if (PRONOUN.test(own) || GENERIC.test(text.split("\n", 1)[0] ?? "")) broken.push("subject");
  if (moves.length !== 1) broken.push("move");
  if (CONTRADICTIONS.some(([one, other]) => one.test(own) && other.test(own))) broken.push("consistent");
  if (tokens(own) > MAX_TOKENS || ABBREVIATED.test(own)) broken.push("short");
  return broken;
}

/** The text without quotations (older texts have other marks), issues and the incident: they are as long as they have to be. */
function ownWords(text: string): string {
  const [line = ""] = text.split("\n");
  return line
    .replaceAll(/(?:Quote from the (?:server|service)|The (?:tool|server) said[^:«“]*): [«“][^»”]*[»”] ?/g, "")
    .replaceAll(/[«“][^»”]*[»”]/g, "")
    .replace(/(^Wrong arguments[^:]*):.*?\. (?=Correct)/, "$1. ")
    .replace(/ ?(?:If you report this, give incident|Incident) \w{26}\./, "")
    .trim();
}

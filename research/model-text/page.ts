// The page that shows what a model reads. Its texts are stored in before.json and now.json; a test causes every failure
// again and compares.
import { readFileSync } from "node:fs";
import { GENERATED, list, page, table } from "../../scripts/generate/markdown.ts";
import { PRESCRIBED, REMARKS } from "./judgements.ts";
import { brokenRules, CRITERIA, type Criterion } from "./rubric.ts";
import { keyOf, SITUATIONS } from "./run.ts";
import { GROUPS, type Situation } from "./situation.ts";
import { tokens } from "./tokens.ts";

type Texts = Readonly<Record<string, string>>;

interface Before {
  readonly origin: { readonly commit: string; readonly date: string };
  readonly texts: Texts;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

/** The texts that are stored for the page. */
export function storedTexts(): { readonly before: Before; readonly now: Texts } {
  return { before: read("before.json") as Before, now: read("now.json") as Texts };
}

/** The criteria that a text does not meet, with the reason. */
export function shortcomings(key: string, text: string): (readonly [Criterion, string | undefined])[] {
  const remarks = REMARKS[key] ?? {};
  const broken = brokenRules(text);
  // Truth cannot be checked by a program, and neither can a name that is missing in words that look complete.
  const judged = (Object.keys(remarks) as Criterion[]).filter((criterion) => !PROGRAMMED.includes(criterion));
  return [...new Set([...broken, ...judged])].map((criterion) => [criterion, remarks[criterion]] as const);
}

const PROGRAMMED: readonly Criterion[] = ["consistent", "short"];

/** The page. */
export function modelTextPage(): string {
  const { before, now } = storedTexts();
  const judged = SITUATIONS.map(keyOf).filter((key) => PRESCRIBED[key] === undefined);
  const full = judged.filter((key) => shortcomings(key, now[key] ?? "").length === 0);
  const cost = (texts: Texts) => judged.reduce((sum, key) => sum + tokens(texts[key] ?? ""), 0);
  const clean = (texts: Texts) => judged.filter((key) => brokenRules(texts[key] ?? "").length === 0).length;
  return page([
    GENERATED,
    "# What the model reads",
    `The text that a model reads after each of ${SITUATIONS.length} real failures, before and after its wording was reworked.`,
    "The failures come from servers of the official SDK with and without Recourse, published servers, a misbehaving peer, REST " +
      "services behind the bridge, and the reference servers on PostgreSQL. " +
      `*Before* is the text at the commit “${before.origin.commit}” (${before.origin.date}), *now* is the current text. ` +
      "`npm run research -- model-text` causes the failures again, and a test compares the texts. " +
      "[Public servers, guarded](public-servers.md) shows, for whole servers, what each value of `foreignText` keeps.",
    "## The rubric",
    list(Object.entries(CRITERIA).map(([name, text]) => `**${name}**: ${text}`)),
    "A program checks pronouns, generic sentences, the number of imperatives, contradictions, length and units. We judged the " +
      "rest by reading each text. Tokens are counted with o200k_base.",
    table(
      ["", "Before", "Now"],
      [
        ["judged texts in which the program finds no problem", clean(before.texts), clean(now)],
        ["tokens of all judged texts", cost(before.texts), cost(now)],
      ].map((row) => row.map(String)),
    ),
    `${full.length} of ${judged.length} judged texts meet all five criteria. ${Object.keys(PRESCRIBED).length} texts are prescribed ` +
      "by another program or by a system's document; they are shown but not judged.",
    ...Object.entries(GROUPS).flatMap(([group, title]) => [
      `## ${title}`,
      table(
        ["What happened", "Before", "Now", "Tokens", "Verdict"],
        SITUATIONS.filter((one) => one.group === group).map((one) => row(one, before.texts, now)),
      ),
    ]),
  ]);
}

function row(situation: Situation, before: Texts, now: Texts): string[] {
  const key = keyOf(situation);
  const [old = "", text = ""] = [before[key], now[key]];
  return [situation.what, cell(old), cell(text), `${tokens(old)} → ${tokens(text)}`, verdict(key, text)];
}

function verdict(key: string, text: string): string {
  const prescribed = PRESCRIBED[key];
  if (prescribed !== undefined) return `prescribed: ${prescribed}`;
  const found = shortcomings(key, text);
  const remarks = found.map(([criterion, remark = "no remark"]) => `${criterion}: ${remark}`);
  return [`${Object.keys(CRITERIA).length - found.length} of 5`, ...remarks].join("<br>");
}

function cell(text: string): string {
  return text
    .split("\n")
    .map((line) => `\`${line}\``)
    .join("<br>");
}

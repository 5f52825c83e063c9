import { failureSign } from "@recourse/core/proxy";
import { type JsonObject, stringAt } from "@recourse/core/wire";
import { FOREIGN_FAILED_START } from "../words/languages.ts";
import { nameWords } from "../words/verbs.ts";
import { contentTexts } from "./exchanges.ts";
import { firstRuleMatch, HIDDEN_FAILURE_TEXTS } from "./leak-rules.ts";

/** What the results of a tool consist of. Errors that a log viewer shows are its result. */
type ContentKind = "own" | "documents" | "log";

const LOG_WORDS = new Set(
  "alert alerts console crash crashes diagnostics error errors event events exception exceptions failure failures incident incidents issue issues lint log logs stderr test tests trace traces".split(
    " ",
  ),
);
const LOG_DESCRIPTION =
  /\b(?:logs?|log (?:lines?|files?|entries)|exceptions?|stack traces?|error (?:reports?|events?|messages?)|console (?:messages|output))\b/i;
const DOCUMENT_WORDS = new Set(
  "article articles ask book books browse crawl doc docs document documentation documents example examples explain faq fetch file files guide help knowledge news page pages read scrape search snippet snippets tutorial url web wiki".split(
    " ",
  ),
);
const DOCUMENT_DESCRIPTION = /\b(?:documents?|documentation|articles?|web ?pages?|websites?|files?|snippets?)\b/i;
/** Tools that give back markup. */
const MARKUP =
  /\b(?:html|markup|web ?pages?|pages?|websites?|urls?|browser|dom|templates?|files?|scrap\w{0,6}|crawl\w{0,6}|fetch(?:es)?|content)\b/i;

const HTML_BEGINNING = /^\s{0,100}(?:<!doctype html|<html[\s>])/i;

/** How a text begins that reports a failure. "Errors: 0", "Failed jobs" and "Error handling" begin texts that are right. */
const FAILED_START =
  /^\W{0,10}(?:(?:error|exception|fatal|fatal error)(?::| (?:while |when )(?:[a-z]{2,20}ing)\b| (?!(?:handl|logg|report|track|check|correct|messag|monitor|catch|wrapp|format|budget|bound|bubbl|match)ing)[a-z]{2,20}ing\b| (?:occurred|calling)\b| (?:in|at|from) [^:\n]{1,80}: )|(?:\w{1,40}\.){0,5}\w{1,40}(?:Error|Exception): |failed(?::(?! ?\d)| (?:to|with|because)\b)|(?:the )?(?:\w{1,20} )?(?:request|query|call|fetch|lookup|search|connection|command) failed\b|traceback \()/i;

/** A status of HTTP with its usual words. A line alone: many of them are a table. */
const STATUS_LINE =
  /^\W{0,10}(?:(?:http(?:\/[\d.]{1,4})?|error|status|status code)[ :]{1,3}[45]\d\d\b|[45]\d\d[ :,-]{1,3}(?:bad request|unauthori[sz]ed|forbidden|not found|method not allowed|request timeout|conflict|gone|too many requests|internal server error|bad gateway|service unavailable|gateway timeout)\b)/i;

/** Longer texts, and texts of more lines, are documents and not reports of one failure. */
const MAX_REPORT = 400;
const MAX_ERROR_ALONE = 80;

/** Whether a result without `isError` reports a failure. `tool` is what the server lists about the tool. */
export function hidesFailure(result: JsonObject, tool: JsonObject | undefined): boolean {
  const [text = ""] = contentTexts(result);
  const kind = contentKind(tool);
  const sign = failureSign(result);
  if (sign !== undefined && !(kind === "log" && sign === "hint")) return true;
  const isLine = text.length <= MAX_REPORT && !text.trim().includes("\n");
  const begins = FAILED_START.test(text.slice(0, 300)) || FOREIGN_FAILED_START.test(text.slice(0, 300));
  switch (kind) {
    case "log":
      // Only a line about the tool's own work: it names what was to be fetched.
      return isLine && begins && namesSubject(text, tool);
    case "documents":
      return isLine && (begins || STATUS_LINE.test(text) || isPageOf(text, tool) || isErrorAlone(text));
    case "own":
      return (
        begins ||
        isPageOf(text, tool) ||
        (isLine && (STATUS_LINE.test(text) || firstRuleMatch(HIDDEN_FAILURE_TEXTS, text) !== undefined))
      );
    default:
      return kind satisfies never;
  }
}

/** Whether a text is the words of a failure and nothing else: a document about it would say more. */
function isErrorAlone(text: string): boolean {
  const [alone = ""] = text.trim().split(/[:.]/, 1);
  return text.length <= MAX_ERROR_ALONE && firstRuleMatch(HIDDEN_FAILURE_TEXTS, alone) !== undefined;
}

function isPageOf(text: string, tool: JsonObject | undefined): boolean {
  return HTML_BEGINNING.test(text) && !MARKUP.test(describeTool(tool));
}

function describeTool(tool: JsonObject | undefined): string {
  const words = nameWords(stringAt(tool, "name") ?? "").join(" ");
  return `${words}. ${(stringAt(tool, "description") ?? "").slice(0, 300)}`;
}

function contentKind(tool: JsonObject | undefined): ContentKind {
  const words = nameWords(stringAt(tool, "name") ?? "");
  const [sentence = ""] = (stringAt(tool, "description") ?? "").slice(0, 300).split(/[.\n]/, 1);
  if (words.some((word) => LOG_WORDS.has(word)) || LOG_DESCRIPTION.test(sentence)) return "log";
  return words.some((word) => DOCUMENT_WORDS.has(word)) || DOCUMENT_DESCRIPTION.test(sentence) ? "documents" : "own";
}

/** Whether a text names what a tool is about: a word of its name but for the verb. */
function namesSubject(text: string, tool: JsonObject | undefined): boolean {
  const [, ...subjects] = nameWords(stringAt(tool, "name") ?? "");
  const words = nameWords(text.slice(0, MAX_REPORT));
  return subjects.some((subject) => words.includes(subject));
}

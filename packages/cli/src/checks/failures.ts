import { decodeHtmlEntities, readCallerTexts } from "@recourse/core/safety";
import { type JsonObject, parseJson } from "@recourse/core/wire";
import type { RecordedExchange, RecordedTarget } from "../recording/recording.ts";
import type { EraView } from "./check.ts";
import { answerCode, answerError, answerResult, answerStatus, isToolFailure, modelText } from "./exchanges.ts";

/** Why checks of failures are skipped. */
export const NO_FAILURE = "Nothing failed during the probe.";

/** One failure of the run. */
export interface FailedExchange {
  readonly exchange: RecordedExchange;
  /** How it was sent: as a JSON-RPC error, as the result of a tool, or as an HTTP answer without JSON-RPC. */
  readonly channel: "rpc" | "tool" | "http";
  /** The code of a JSON-RPC error, if it is a number. */
  readonly code?: number;
  /** What a model or its host reads. */
  readonly text: string;
  /** All strings of the answer, also those that hosts drop. Leaks are looked for in here. */
  readonly everything: string;
}

/** A failure with what is left of it once the probe's own texts are removed. */
export interface JudgedFailure extends FailedExchange {
  /** `everything` without whatever says nothing about the server. */
  readonly rest: string;
}

/** Every failure of the run with what is left to judge. Computed once for each era. */
export function judgedFailures(view: EraView): readonly JudgedFailure[] {
  const cached = JUDGED.get(view.era);
  if (cached !== undefined) return cached;
  const judged = allFailures(view).map((one) => ({ ...one, rest: withoutOwn(one.everything, view, one.exchange) }));
  JUDGED.set(view.era, judged);
  return judged;
}

const JUDGED = new WeakMap<EraView["era"], readonly JudgedFailure[]>();

/** Every failure of the run, in the order of the exchanges. */
export function allFailures({ era }: EraView): readonly FailedExchange[] {
  return era.exchanges.flatMap((exchange) => failureIn(exchange) ?? []);
}

/** The failure in one exchange. Undefined if the exchange did not fail, or if nothing arrived. */
export function failureIn(exchange: RecordedExchange): FailedExchange | undefined {
  const { answer } = exchange;
  const text = modelText(answer);
  const error = answerError(answer);
  if (error !== undefined) {
    const code = answerCode(answer);
    const everything = collectStrings(error).join("\n");
    return { exchange, channel: "rpc", ...(code !== undefined && { code }), text, everything };
  }
  if (isToolFailure(answer)) {
    return { exchange, channel: "tool", text, everything: collectStrings(answerResult(answer)).join("\n") };
  }
  if (answer.kind !== "body" || (answerStatus(answer) ?? 0) < 400) return undefined;
  const json = parseJson(answer.text);
  const everything = json === undefined ? decodeHtmlEntities(answer.text) : collectStrings(json).join("\n");
  return { exchange, channel: "http", text, everything };
}

/** More values than this are not looked at. */
const MAX_STRING_VALUES = 20_000;

/** All strings in a JSON value, without the names of members. Deep values cannot overflow it. */
export function collectStrings(value: unknown): readonly string[] {
  const strings: string[] = [];
  const values: unknown[] = [value];
  for (let at = 0; at < values.length && at < MAX_STRING_VALUES; at += 1) {
    const one = values[at];
    if (typeof one === "string") strings.push(one);
    else if (typeof one === "object" && one !== null) for (const inner of Object.values(one)) values.push(inner);
  }
  return strings;
}

/** Shorter texts stand in too many places by accident. */
const MIN_OWN = 3;
const MIN_WORD = 8;
/** A long text of ours counts even if the server cut it, as long as this much of its beginning is there. */
const MIN_BEGINNING = 16;
const MIN_PLANTED_BEGINNING = 8;
/** Shorter descriptions are words that an error may use too. */
const MIN_DESCRIPTION = 20;
/** Stands for what was removed. No rule about texts takes it for anything. */
const REMOVED_TEXT = "…";

/**
 * A text without what says nothing about the server's failures: whatever the probe sent or planted, the probed host and
 * port, the server's command line, and the descriptions of its tools. Checks judge what is left.
 */
export function withoutOwn(text: string, view: EraView, exchange: RecordedExchange): string {
  const { canary, bait } = view.recording.target.planted;
  const own = [...[canary, bait, ...sentTexts(exchange)].flatMap(repeatedForms), ...serverForms(view)].sort(
    (a, b) => b.length - a.length,
  );
  // Whole values first: the beginning of one may be a part of another.
  const rest = own.reduce((left, value) => left.replaceAll(value, REMOVED_TEXT), text);
  const planted = [canary, bait].reduce((left, value) => removeCut(left, value, MIN_PLANTED_BEGINNING), rest);
  return own.reduce((left, value) => removeCut(left, value, MIN_BEGINNING), planted);
}

/** Everything that the probe sent in one exchange. */
function sentTexts({ sent, tool }: RecordedExchange): readonly string[] {
  const strings = sent.message === undefined ? longWords(sent.text) : readCallerTexts(sent.message);
  const headers = Object.values(sent.http?.headers ?? {});
  const extraKeys = (sent.wrong ?? []).filter(({ rule }) => rule === "extra-key").map(({ field }) => field);
  return [...strings, ...headers, ...extraKeys, ...(tool === undefined ? [] : [tool]), sent.text];
}

/** The words of a text that is no JSON. Short ones stand in every sentence about broken JSON. */
function longWords(text: string): readonly string[] {
  return text.split(/["'\s{}[\],:]+/, 200).filter((word) => word.length >= MIN_WORD);
}

/** What is known of the server before anything fails. Computed once for each era. */
function serverForms(view: EraView): readonly string[] {
  const cached = SERVER_FORMS.get(view.era);
  if (cached !== undefined) return cached;
  const { tools, prompts, resources, resourceTemplates } = view.era;
  const listed = [...tools, ...prompts, ...resources, ...resourceTemplates];
  const descriptions = listed.flatMap(collectStrings).filter((text) => text.length >= MIN_DESCRIPTION);
  const known = [...addressTexts(view.recording.target), ...descriptions].flatMap(repeatedForms);
  SERVER_FORMS.set(view.era, known);
  return known;
}

const SERVER_FORMS = new WeakMap<EraView["era"], readonly string[]>();

/** The address or the command line of the probed server, and the parts of it that a failure may name. */
function addressTexts({ url, command = [] }: RecordedTarget): readonly string[] {
  const address = url === undefined ? undefined : URL.parse(url);
  const hosts = address ? [address.href, address.origin, address.host] : [];
  // A resolver or a listener may name the loopback address in another way than the user did.
  const port = address?.port ?? "";
  const loopback = port === "" ? [] : ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"].map((name) => `${name}:${port}`);
  const named = address && !LOOPBACK_NAME.test(address.hostname) ? [address.hostname] : [];
  return [...hosts, ...named, ...loopback, ...command.flatMap(argumentTexts)];
}

const LOOPBACK_NAME = /^(?:localhost|127\..*|\[::1\])$/;

/** An argument, and the value in `--name=value`. */
function argumentTexts(argument: string): readonly string[] {
  const value = /^--?[\w-]{1,60}=(.+)$/s.exec(argument)?.[1];
  const texts = value === undefined ? [argument] : [argument, value];
  // A folder is often named without its last slash.
  return texts.flatMap((one) => (/[\\/]$/.test(one) ? [one, one.slice(0, -1)] : [one]));
}

/** The ways in which a server may repeat a value. */
function repeatedForms(value: string): readonly string[] {
  if (value.length < MIN_OWN) return [];
  const encoded = encodeURIComponent(value.toWellFormed());
  return [...new Set([value, JSON.stringify(value).slice(1, -1), encoded, value.toLowerCase()])];
}

/** Removes a value whose end is cut off. */
function removeCut(text: string, value: string, minBeginning: number): string {
  if (value.length <= minBeginning) return text;
  const beginning = value.slice(0, minBeginning);
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, from)) {
    let end = minBeginning;
    while (end < value.length && text[at + end] === value[end]) end += 1;
    parts.push(text.slice(from, at), REMOVED_TEXT);
    from = at + end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(from);
}

/** Whether the server lists a text itself, so that a failure with it gives nothing away. */
export function isListedText(text: string, { era }: EraView): boolean {
  const cached = LISTED_TEXTS.get(era) ?? listedText(era);
  LISTED_TEXTS.set(era, cached);
  return cached.includes(text);
}

const LISTED_TEXTS = new WeakMap<EraView["era"], string>();

function listedText({ tools, prompts, resources, resourceTemplates }: EraView["era"]): string {
  const lists: readonly (readonly JsonObject[])[] = [tools, prompts, resources, resourceTemplates];
  return lists.flat().flatMap(collectStrings).join("\n");
}

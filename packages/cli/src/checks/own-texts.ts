import { callerTextsOf, type JsonObject } from "@recourse/faults/internal-do-not-use";
import type { Exchange, Target } from "../recording/recording.ts";
import type { EraView } from "./check.ts";
import { stringsIn } from "./strings-in.ts";

/** Shorter texts stand in too many places by accident. */
const MIN_OWN = 3;
const MIN_WORD = 8;
/** A long text of ours counts also where the server cut it: so much of its beginning has to be there. */
const MIN_BEGINNING = 16;
const MIN_PLANTED_BEGINNING = 8;
/** Shorter descriptions are words that an error may use too. */
const MIN_DESCRIPTION = 20;
/** Stands for what was removed. No rule about texts takes it for anything. */
const REMOVED = "…";

/**
 * A text without what says nothing about the server's failures: whatever the probe sent or planted, the probed host and
 * port, the server's command line, and the descriptions of its tools. Checks judge what is left.
 */
export function withoutOwn(text: string, view: EraView, exchange: Exchange): string {
  const { canary, bait } = view.recording.target.planted;
  const own = [...[canary, bait, ...sentTexts(exchange)].flatMap(formsOf), ...knownForms(view)].sort(
    (a, b) => b.length - a.length,
  );
  // Whole values first: the beginning of one may be a part of another.
  const rest = own.reduce((left, value) => left.replaceAll(value, REMOVED), text);
  const planted = [canary, bait].reduce((left, value) => removeCut(left, value, MIN_PLANTED_BEGINNING), rest);
  return own.reduce((left, value) => removeCut(left, value, MIN_BEGINNING), planted);
}

/** Everything that the probe sent in one exchange. */
function sentTexts({ sent, tool }: Exchange): readonly string[] {
  const strings = sent.message === undefined ? wordsOf(sent.text) : callerTextsOf(sent.message);
  const headers = Object.values(sent.http?.headers ?? {});
  const extraKeys = (sent.wrong ?? []).filter(({ rule }) => rule === "extra-key").map(({ field }) => field);
  return [...strings, ...headers, ...extraKeys, ...(tool === undefined ? [] : [tool]), sent.text];
}

/** The words of a text that is no JSON. Short ones stand in every sentence about broken JSON. */
function wordsOf(text: string): readonly string[] {
  return text.split(/["'\s{}[\],:]+/, 200).filter((word) => word.length >= MIN_WORD);
}

/** What is known of the server before anything fails. Computed once for each era. */
function knownForms(view: EraView): readonly string[] {
  const cached = KNOWN.get(view.era);
  if (cached !== undefined) return cached;
  const { tools, prompts, resources, resourceTemplates } = view.era;
  const listed = [...tools, ...prompts, ...resources, ...resourceTemplates];
  const descriptions = listed.flatMap(stringsIn).filter((text) => text.length >= MIN_DESCRIPTION);
  const known = [...addressTexts(view.recording.target), ...descriptions].flatMap(formsOf);
  KNOWN.set(view.era, known);
  return known;
}

const KNOWN = new WeakMap<EraView["era"], readonly string[]>();

/** The address or the command line of the probed server, and the parts of it that a failure may name. */
function addressTexts({ url, command = [] }: Target): readonly string[] {
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
function formsOf(value: string): readonly string[] {
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
    parts.push(text.slice(from, at), REMOVED);
    from = at + end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(from);
}

/** Whether the server lists a text itself, so that a failure with it gives nothing away. */
export function isListed(text: string, { era }: EraView): boolean {
  const cached = LISTED.get(era) ?? listedText(era);
  LISTED.set(era, cached);
  return cached.includes(text);
}

const LISTED = new WeakMap<EraView["era"], string>();

function listedText({ tools, prompts, resources, resourceTemplates }: EraView["era"]): string {
  const lists: readonly (readonly JsonObject[])[] = [tools, prompts, resources, resourceTemplates];
  return lists.flat().flatMap(stringsIn).join("\n");
}

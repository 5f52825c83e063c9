// Finds what an operator typed or pasted: an id, the first digits of a fingerprint, a trace, or a part of a name.

import { race, readId, sleep } from "@recourse/core/wire";
import { loadExplanations } from "../incidents/explain-class.ts";
import type { IncidentReader, IncidentRow } from "../incidents/incidents.ts";
import { namesWith } from "../incidents/memory-incidents.ts";
import type { AdminParts } from "./parts.ts";

/** What was found. `label` is for people. */
interface FoundItem {
  readonly type: "incident" | "approval" | "cause" | "tool" | "reason" | "caller" | "upstream";
  readonly id: string;
  readonly label: string;
}

/** The most items of an answer, and of one sort. */
const MAX_FOUND = 10;
const MAX_OF_SORT = 5;
/** How long one question to a store may take. */
const FIND_MS = 2_000;
/** Callers are looked for so far back. */
const CALLERS_MS = 86_400_000;

/** What of the gateway is searched. */
type FindParts = Pick<AdminParts, "config" | "now" | "toolNames"> & {
  readonly controls: Pick<AdminParts["controls"], "approvals" | "incidents">;
};

/** Finds what a text names, the most exact first. It rejects if nothing was found and a store is down. */
export async function findByText(text: string, parts: FindParts): Promise<readonly FoundItem[]> {
  const { ids, digits } = readTyped(text);
  const exact = await collectFound([
    ...ids.flatMap((id) => [findIncidentById(id, parts), findApprovalById(id, parts)]),
    ...digits.flatMap((hex) => [findCausesByDigits(hex, parts), findTrace(hex, parts)]),
  ]);
  if (exact.items.length > 0) return exact.items.slice(0, MAX_FOUND);
  const part = text.trim().toLowerCase();
  const others = await collectFound([findKnownNames(part, parts), findSeenNames(part, parts)]);
  const missing = exact.failure ?? others.failure;
  // Without an answer of the store nobody knows that there is nothing.
  if (others.items.length === 0 && missing !== undefined) throw missing.cause;
  return others.items.toSorted((one, other) => rankOf(one, part) - rankOf(other, part)).slice(0, MAX_FOUND);
}

/** Names that are the text come first, then those that begin with it, then those that contain it. */
function rankOf({ id }: FoundItem, part: string): number {
  if (id.toLowerCase() === part) return 0;
  return id.toLowerCase().startsWith(part) ? 1 : 2;
}

/** What several questions found, each thing once, and why one of them failed. */
async function collectFound(questions: readonly Promise<readonly FoundItem[]>[]) {
  const answers = await Promise.allSettled(questions.map(withinTime));
  const items = new Map<string, FoundItem>();
  let failure: { readonly cause: unknown } | undefined;
  for (const answer of answers) {
    if (answer.status === "rejected") failure ??= { cause: answer.reason };
    else for (const item of answer.value) items.set(`${item.type} ${item.id}`, item);
  }
  return { items: [...items.values()], failure };
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const answer = await race(work, { ms: FIND_MS, sleep });
  if (typeof answer === "symbol") throw new Error("no answer in time");
  return answer as T;
}

interface TypedText {
  /** Ids, with digits where a reader wrote a letter. */
  readonly ids: readonly string[];
  /** Hex digits of fingerprints and traces. */
  readonly digits: readonly string[];
}

/** The most words of a text that are looked up. */
const MAX_WORDS = 3;
const ID_LIKE = /^[0-9A-Z]{26}$/i;
const HEX_LIKE = /^[0-9a-f]{8,64}$/i;
/** Digits that letters are mistaken for. Ids contain none of these letters. */
const MISREAD_LETTERS: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" };

/** The ids and hex digits in a text: a whole sentence can be pasted. */
export function readTyped(text: string): TypedText {
  const words = [...new Set(text.split(/[^0-9A-Za-z]+/))];
  const ids = words
    .filter((word) => ID_LIKE.test(word))
    .map((word) => word.toUpperCase().replaceAll(/[OIL]/g, (letter) => MISREAD_LETTERS[letter] ?? letter));
  const digits = words.filter((word) => HEX_LIKE.test(word)).map((word) => word.toLowerCase());
  return { ids: ids.slice(0, MAX_WORDS), digits: digits.slice(0, MAX_WORDS) };
}

function readerOf({ controls }: FindParts): IncidentReader | undefined {
  return controls.incidents?.reader;
}

async function findIncidentById(id: string, parts: FindParts): Promise<readonly FoundItem[]> {
  const row = readId(id) === undefined ? undefined : await readerOf(parts)?.find(id);
  return row === undefined ? [] : [await foundIncident(row)];
}

async function findApprovalById(id: string, { controls }: FindParts): Promise<readonly FoundItem[]> {
  const approval = readId(id) === undefined ? undefined : await controls.approvals?.find(id);
  return approval === undefined
    ? []
    : [{ type: "approval", id: approval.id, label: `${approval.tool} · ${approval.state}` }];
}

async function findCausesByDigits(prefix: string, parts: FindParts): Promise<readonly FoundItem[]> {
  const classes = (await readerOf(parts)?.findClasses(prefix, MAX_OF_SORT)) ?? [];
  return classes.map(({ fingerprint, title, tool, upstream }) => ({
    type: "cause",
    id: fingerprint,
    label: joinNames(title, tool ?? upstream),
  }));
}

async function findTrace(trace: string, parts: FindParts): Promise<readonly FoundItem[]> {
  if (trace.length !== 32) return [];
  const rows = (await readerOf(parts)?.search({ trace }, { limit: MAX_OF_SORT })) ?? [];
  return Promise.all(rows.map(foundIncident));
}

/** Names that are known without a store: of the file, of the lists, and of the library. */
async function findKnownNames(part: string, { config, toolNames }: FindParts): Promise<readonly FoundItem[]> {
  const { catalogue } = await loadExplanations();
  return [
    ...namesWith(
      part,
      config().upstreams.map(({ name }) => name),
      MAX_OF_SORT,
    ).map(foundName("upstream")),
    ...namesWith(part, toolNames?.() ?? [], MAX_OF_SORT).map(foundName("tool")),
    ...(await Promise.all(namesWith(part, Object.keys(catalogue), MAX_OF_SORT).map(foundReason))),
  ];
}

async function findSeenNames(part: string, parts: FindParts): Promise<readonly FoundItem[]> {
  const since = new Date(parts.now() - CALLERS_MS).toISOString();
  const seen = await readerOf(parts)?.knownNames(part, since, MAX_OF_SORT);
  if (seen === undefined) return [];
  return [
    ...seen.upstreams.map(foundName("upstream")),
    ...seen.tools.map(foundName("tool")),
    ...(await Promise.all(seen.reasons.map(foundReason))),
    ...seen.callers.map((id) => ({ type: "caller", id, label: callerLabel(id) }) as const),
  ];
}

function foundName(type: "upstream" | "tool"): (name: string) => FoundItem {
  return (name) => ({ type, id: name, label: name });
}

async function foundReason(reason: string): Promise<FoundItem> {
  const { explain } = await loadExplanations();
  return { type: "reason", id: reason, label: joinNames(reason, explain(reason)?.title) };
}

async function foundIncident({ id, reason, kind, tool, upstream }: IncidentRow): Promise<FoundItem> {
  const { explain } = await loadExplanations();
  return { type: "incident", id, label: joinNames(explain({ reason, kind })?.title ?? reason, tool ?? upstream) };
}

/** The names of a caller, from its id: the subject, then the tenant. */
function callerLabel(id: string): string {
  try {
    const [, tenant, subject] = JSON.parse(id) as readonly unknown[];
    return typeof subject === "string" && typeof tenant === "string" ? joinNames(subject, tenant) : id;
  } catch {
    return id;
  }
}

function joinNames(first: string, second: string | undefined): string {
  return second === undefined || second === "" ? first : `${first} · ${second}`;
}

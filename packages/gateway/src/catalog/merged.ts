import { APPROVAL_KEY, NewestMap } from "@recourse/core/wire";
import type { UpstreamRoute } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import { withMetaMember } from "../call/json-edit.ts";
import { compileParts, type NameTest } from "../call/name-pattern.ts";
import type { Observer } from "../call/observer.ts";
import { LIST_METHODS, LISTS, type ListEntry, type ListMethod } from "./read-list.ts";
import type { Lists, UpstreamLists } from "./upstream-lists.ts";
import type { Needs, Visibility } from "./visibility.ts";

/** What a caller sees of long lists takes memory, so it is kept for so many callers; for others it is found again. */
const MAX_VIEWS = 256;

export interface PlacedEntry {
  readonly entry: ListEntry;
  readonly lists: UpstreamLists;
  readonly needs: Needs;
  /** The entry as callers are listed it; undefined for a tool that no caller may call. */
  readonly listed: string | undefined;
  /** Made once, since every call of the entry has the same. */
  readonly route: UpstreamRoute;
}

/** What an upstream lists although it belongs to another one. */
interface ShadowedNames {
  readonly count: number;
  /** The first of them, `MAX_SHADOWED` at most. */
  readonly names: readonly string[];
}

/** So many names of an upstream that belong to another one are kept, for the operator. */
const MAX_SHADOWED = 100;

export interface MergedLists {
  readonly entries: Readonly<Record<ListMethod, ReadonlyMap<string, PlacedEntry>>>;
  /** Keys that an upstream lists although they belong to another one, by upstream. */
  readonly shadowed: ReadonlyMap<UpstreamLists, ShadowedNames>;
  readonly tools: ReadonlyMap<UpstreamLists, readonly PlacedEntry[]>;
  /** What the last callers that asked for lists see of it. */
  readonly seen: Map<Caller, Partial<Record<ListMethod, readonly PlacedEntry[]>>>;
  readonly templates: readonly { readonly matches: NameTest; readonly placed: PlacedEntry }[];
}

interface ListRules {
  readonly visibility: Visibility;
  readonly approvals: ApprovalMarks;
}

export interface ApprovalMarks {
  /** Whether calls of a tool need an approval or are refused. */
  needs(tool: string): boolean;
  denies(tool: string): boolean;
}

/**
 * Merges the lists. A name belongs to the upstream with the longest prefix that it begins with. If two upstreams list
 * the same name or URI, the first in the file has it.
 */
export function mergeLists(
  all: readonly UpstreamLists[],
  { visibility, approvals }: ListRules,
  /** What is merged instead of the lists that the gateway has read: those of one caller. */
  own?: ReadonlyMap<UpstreamLists, Lists>,
): MergedLists {
  const entries = {
    "tools/list": new Map<string, PlacedEntry>(),
    "prompts/list": new Map<string, PlacedEntry>(),
    "resources/list": new Map<string, PlacedEntry>(),
    "resources/templates/list": new Map<string, PlacedEntry>(),
  } satisfies Record<ListMethod, Map<string, PlacedEntry>>;
  const shadowed = new Map<UpstreamLists, ShadowedNames>();
  for (const lists of all) {
    const given = own === undefined ? lists.lists : own.get(lists);
    if (given === undefined) continue;
    const others = prefixesWithin(lists.upstream.options.prefix, all);
    const names: string[] = [];
    let count = 0;
    for (const method of LIST_METHODS) {
      for (const entry of given[method]) {
        const { key } = entry;
        const isOthers = isNamedList(method) && others.some((prefix) => key.startsWith(prefix));
        if (!isOthers && !entries[method].has(key)) {
          entries[method].set(key, place(method, entry, lists, { visibility, approvals }));
          continue;
        }
        count += 1;
        if (names.length < MAX_SHADOWED) names.push(key);
      }
    }
    if (count > 0) shadowed.set(lists, { count, names });
  }
  const tools = new Map<UpstreamLists, PlacedEntry[]>();
  for (const placed of entries["tools/list"].values()) getOrAdd(tools, placed.lists).push(placed);
  const templates = [...entries["resources/templates/list"].values()].map((placed) => ({
    matches: compileUriTemplate(placed.entry.key),
    placed,
  }));
  return { entries, shadowed, tools, seen: new NewestMap(MAX_VIEWS), templates };
}

/** The prefixes of other upstreams that begin with one and are longer: such names are theirs. */
function prefixesWithin(prefix: string, all: readonly UpstreamLists[]): readonly string[] {
  return all
    .map(({ upstream }) => upstream.options.prefix)
    .filter((other) => other.length > prefix.length && other.startsWith(prefix));
}

/** Whether the entries of a list are distinguished by names with prefixes; resources have URIs. */
export function isNamedList(method: ListMethod): boolean {
  return LISTS[method].key === "name";
}

function getOrAdd<K, V>(map: Map<K, V[]>, key: K): V[] {
  const found = map.get(key) ?? [];
  if (found.length === 0) map.set(key, found);
  return found;
}

function place(
  method: ListMethod,
  entry: ListEntry,
  lists: UpstreamLists,
  { visibility, approvals }: ListRules,
): PlacedEntry {
  const needs = visibility.findNeeds(entry.key);
  const tool =
    method === "tools/list"
      ? {
          name: entry.key,
          readOnly: entry.readOnly,
          idempotent: entry.idempotent,
          hasOutputSchema: entry.hasOutputSchema,
          inputSchema: entry.inputSchema,
          cost: needs.cost,
        }
      : undefined;
  return {
    entry,
    lists,
    needs,
    listed: tool === undefined ? entry.text : listedTool(entry, approvals),
    route: { kind: "upstream", upstream: lists.upstream, target: entry.target, tool },
  };
}

/** A tool in the words of its upstream, and whether a person has to approve its calls. */
function listedTool({ key, text }: ListEntry, approvals: ApprovalMarks): string | undefined {
  if (approvals.denies(key)) return undefined;
  return approvals.needs(key) ? withMetaMember(Buffer.from(text), 0, { [APPROVAL_KEY]: "required" }).toString() : text;
}

/** One upstream causes a line about its names no more often than this. */
const SHADOW_LOG_PAUSE_MS = 60_000;
/** How many names a line shows, and how much of each. */
const MAX_SHOWN = 5;
const MAX_LOGGED_NAME = 128;

/**
 * Logs that names of an upstream are left out because another upstream has them: one line for each upstream and change, with
 * their number and the first of them. Names that change all the time are logged once in a while.
 */
export function shadowLog(observer: Pick<Observer, "log">, now: () => number): (merged: MergedLists) => void {
  const known = new WeakMap<UpstreamLists, { readonly atMs: number; readonly shadowed: ShadowedNames }>();
  return ({ shadowed }) => {
    for (const [lists, found] of shadowed) {
      const before = known.get(lists);
      if (before !== undefined && (isSameShadow(before.shadowed, found) || now() - before.atMs < SHADOW_LOG_PAUSE_MS))
        continue;
      known.set(lists, { atMs: now(), shadowed: found });
      const names = found.names.slice(0, MAX_SHOWN).map((name) => name.slice(0, MAX_LOGGED_NAME));
      const facts = { upstream: lists.upstream.options.name, count: found.count, names };
      observer.log("warn", "Names of an upstream are left out, since they belong to another one", facts);
    }
  };
}

function isSameShadow(one: ShadowedNames, other: ShadowedNames): boolean {
  if (one === other) return true;
  return one.count === other.count && one.names.every((name, index) => name === other.names[index]);
}

/**
 * Compiles a URI template (RFC 6570). Every expression may stand for any text, since only the server knows what its
 * variables take; the literal text around the expressions has to be there.
 */
export function compileUriTemplate(template: string): NameTest {
  return compileParts(template.split(/\{[^{}]*\}/));
}

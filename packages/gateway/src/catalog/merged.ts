import { APPROVAL_KEY } from "@recourse/faults/internal-do-not-use";
import type { Caller } from "../auth/caller.ts";
import { withMetaMember } from "../json/meta-member.ts";
import { type Entry, LIST_METHODS, LISTS, type ListMethod } from "./entry.ts";
import type { NameTest } from "./pattern.ts";
import type { Route } from "./route.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import { compileUriTemplate } from "./uri-template.ts";
import type { Needs, Visibility } from "./visibility.ts";

/** An entry with the upstream that it belongs to. */
export interface Placed {
  readonly entry: Entry;
  readonly lists: UpstreamLists;
  /** What a caller needs, for tools and prompts. */
  readonly needs: Needs;
  /** The entry as callers are listed it; undefined for a tool that nobody may call. */
  readonly listed: string | undefined;
  /** Made once, since every call of the entry has the same. */
  readonly route: Extract<Route, { kind: "upstream" }>;
}

/** What an upstream lists although it belongs to another one. */
export interface Shadowed {
  readonly count: number;
  /** The first of them, `MAX_SHADOWED` at most. */
  readonly names: readonly string[];
}

/** What a caller sees of long lists takes memory, so it is kept for so many callers; for others it is found again. */
const MAX_VIEWS = 256;
/** So many names of an upstream that belong to another one are kept, for the operator. */
const MAX_SHADOWED = 100;

/** The lists of all upstreams as one, in the order of the file. */
export interface Merged {
  readonly entries: Readonly<Record<ListMethod, ReadonlyMap<string, Placed>>>;
  /** Keys that an upstream lists although they belong to another one, by upstream. */
  readonly shadowed: ReadonlyMap<UpstreamLists, Shadowed>;
  /** The tools of each upstream. */
  readonly tools: ReadonlyMap<UpstreamLists, readonly Placed[]>;
  /** What the last callers that asked for lists see of it, `MAX_VIEWS` at most. */
  readonly seen: Map<Caller, Partial<Record<ListMethod, readonly Placed[]>>>;
  /** The templates, ready to be matched. */
  readonly templates: readonly { readonly matches: NameTest; readonly placed: Placed }[];
}

/** The rules of the file that lists follow. */
export interface ListRules {
  readonly visibility: Visibility;
  readonly approvals: ApprovalMarks;
}

/** Which tools a person or a policy decides about. */
export interface ApprovalMarks {
  /** Whether calls of a tool need an approval or are refused. */
  needs(tool: string): boolean;
  /** Whether nobody may call a tool. */
  denies(tool: string): boolean;
}

/**
 * Merges the lists. A name belongs to the upstream with the longest prefix that it begins with. Where two upstreams list the
 * same name or URI, the first in the file has it.
 */
export function mergeLists(all: readonly UpstreamLists[], { visibility, approvals }: ListRules): Merged {
  const entries = {
    "tools/list": new Map<string, Placed>(),
    "prompts/list": new Map<string, Placed>(),
    "resources/list": new Map<string, Placed>(),
    "resources/templates/list": new Map<string, Placed>(),
  } satisfies Record<ListMethod, Map<string, Placed>>;
  const shadowed = new Map<UpstreamLists, Shadowed>();
  for (const lists of all) {
    const others = prefixesWithin(lists.upstream.options.prefix, all);
    const names: string[] = [];
    let count = 0;
    for (const method of LIST_METHODS) {
      for (const entry of lists.lists[method]) {
        const { key } = entry;
        const isOthers = isNamed(method) && others.some((prefix) => key.startsWith(prefix));
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
  const tools = new Map<UpstreamLists, Placed[]>();
  for (const placed of entries["tools/list"].values()) getOrAdd(tools, placed.lists).push(placed);
  const templates = [...entries["resources/templates/list"].values()].map((placed) => ({
    matches: compileUriTemplate(placed.entry.key),
    placed,
  }));
  return { entries, shadowed, tools, seen: new Map(), templates };
}

/** The prefixes of other upstreams that begin with one and are longer: such names are theirs. */
function prefixesWithin(prefix: string, all: readonly UpstreamLists[]): readonly string[] {
  return all
    .map(({ upstream }) => upstream.options.prefix)
    .filter((other) => other.length > prefix.length && other.startsWith(prefix));
}

/** Whether the entries of a list are told apart by names with prefixes; resources have URIs. */
function isNamed(method: ListMethod): boolean {
  return LISTS[method].key === "name";
}

function getOrAdd<K, V>(map: Map<K, V[]>, key: K): V[] {
  const found = map.get(key) ?? [];
  if (found.length === 0) map.set(key, found);
  return found;
}

function place(method: ListMethod, entry: Entry, lists: UpstreamLists, { visibility, approvals }: ListRules): Placed {
  const needs = visibility.needsOf(entry.key);
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
function listedTool({ key, text }: Entry, approvals: ApprovalMarks): string | undefined {
  if (approvals.denies(key)) return undefined;
  return approvals.needs(key) ? withMetaMember(Buffer.from(text), 0, { [APPROVAL_KEY]: "required" }).toString() : text;
}

/** What one caller sees of the merged lists. */
export class View {
  readonly merged: Merged;
  readonly #caller: Caller;
  readonly #visibility: Visibility;

  constructor(merged: Merged, caller: Caller, visibility: Visibility) {
    this.merged = merged;
    this.#caller = caller;
    this.#visibility = visibility;
  }

  /** Whether the caller may see the tool or prompt of a name, should there be one. */
  mayName(name: string): boolean {
    return this.#visibility.maySee(this.#caller, name);
  }

  /** Whether the caller sees an entry of a list. */
  sees(method: ListMethod, { entry, lists, needs }: Placed): boolean {
    return isNamed(method) ? this.#visibility.maySee(this.#caller, entry.key, needs) : this.reaches(lists);
  }

  /** The entry of a key, where the caller sees it. */
  find(method: ListMethod, key: string): Placed | undefined {
    const placed = this.merged.entries[method].get(key);
    return placed !== undefined && this.sees(method, placed) ? placed : undefined;
  }

  /** The entries that the caller is listed: those that it sees, without tools that nobody may call. */
  entriesOf(method: ListMethod): readonly Placed[] {
    const known = this.#known();
    known[method] ??= [...this.merged.entries[method].values()].filter(
      (placed) => placed.listed !== undefined && this.sees(method, placed),
    );
    return known[method];
  }

  #known(): Partial<Record<ListMethod, readonly Placed[]>> {
    const { seen } = this.merged;
    const known = seen.get(this.#caller) ?? {};
    seen.set(this.#caller, known);
    if (seen.size > MAX_VIEWS) {
      for (const oldest of seen.keys()) {
        seen.delete(oldest);
        break;
      }
    }
    return known;
  }

  /** Whether the caller reaches an upstream at all: it sees a tool of it, or its patterns cover the upstream's prefix. */
  reaches(lists: UpstreamLists): boolean {
    if (this.#visibility.coversPrefix(this.#caller, lists.upstream.options.prefix)) return true;
    return this.merged.tools.get(lists)?.some((placed) => this.sees("tools/list", placed)) === true;
  }
}

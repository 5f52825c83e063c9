import type { Fault } from "@recourse/core";
import type { Caller } from "../call/caller.ts";
import { isNamedList, type MergedLists, type PlacedEntry } from "./merged.ts";
import type { OwnLists } from "./own-lists.ts";
import type { ListMethod } from "./read-list.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { Visibility } from "./visibility.ts";

interface OwnPart {
  readonly all: readonly UpstreamLists[];
  session(): string;
  /** What is kept for the caller now; undefined if nothing is. */
  find(): OwnLists | undefined;
}

/** What one caller sees of the merged lists, and of those that it has read for itself. */
export class View {
  readonly #merged: MergedLists;
  readonly #caller: Caller;
  readonly #visibility: Visibility;
  readonly #part: OwnPart | undefined;
  #own: OwnLists | undefined;
  #isOwnKnown = false;

  constructor(merged: MergedLists, caller: Caller, visibility: Visibility, part?: OwnPart) {
    this.#merged = merged;
    this.#caller = caller;
    this.#visibility = visibility;
    this.#part = part;
  }

  /** Found only if it is needed: calls of upstreams with one list for all do not need it. */
  get #ownLists(): OwnLists | undefined {
    if (this.#part !== undefined && !this.#isOwnKnown) {
      this.#own = this.#part.find();
      this.#isOwnKnown = true;
    }
    return this.#own;
  }

  isIn(session: string): boolean {
    return this.#part?.session() === session;
  }

  /** Whether the caller may see the tool or prompt of a name, should there be one. */
  mayName(name: string): boolean {
    return this.#visibility.maySee(this.#caller, name);
  }

  sees(method: ListMethod, { entry, lists, needs }: PlacedEntry): boolean {
    return isNamedList(method) ? this.#visibility.maySee(this.#caller, entry.key, needs) : this.reaches(lists);
  }

  /** The entry of a key, if the caller sees it. */
  find(method: ListMethod, key: string): PlacedEntry | undefined {
    const placed = this.findAny(method, key);
    return placed !== undefined && this.sees(method, placed) ? placed : undefined;
  }

  /** The entry of a key, whether or not the rules let the caller see it. Lists of other callers are not looked at. */
  findAny(method: ListMethod, key: string): PlacedEntry | undefined {
    const shared = this.#merged.entries[method].get(key);
    // A name has one owner, by its prefix.
    if (this.#part === undefined || (shared !== undefined && isNamedList(method))) return shared;
    return this.#first(shared, this.#ownLists?.merged.entries[method].get(key));
  }

  /** The template that a URI matches, in the order of the file. */
  findTemplate(uri: string): PlacedEntry | undefined {
    const find = ({ templates }: MergedLists) =>
      templates.find(({ matches, placed }) => matches(uri) && this.sees("resources/templates/list", placed))?.placed;
    const shared = find(this.#merged);
    const own = this.#ownLists;
    return own === undefined ? shared : this.#first(shared, find(own.merged));
  }

  *eachEntry(method: ListMethod): Generator<PlacedEntry> {
    yield* this.#merged.entries[method].values();
    const own = this.#ownLists;
    if (own !== undefined) yield* own.merged.entries[method].values();
  }

  /** The entries that the caller is listed: those that it sees, without tools that no caller may call. */
  listEntries(method: ListMethod): readonly PlacedEntry[] {
    const own = this.#ownLists;
    if (own !== undefined) return own.showOnce(method, this.#merged, () => this.#placeInOrder(method, own.merged));
    const known = this.#known();
    known[method] ??= this.#shown(this.#merged, method);
    return known[method];
  }

  #shown(merged: MergedLists, method: ListMethod): readonly PlacedEntry[] {
    return [...merged.entries[method].values()].filter(
      (placed) => placed.listed !== undefined && this.sees(method, placed),
    );
  }

  /** The shared entries and those of the caller, in the order of the file. Of two with one key, the first counts. */
  #placeInOrder(method: ListMethod, own: MergedLists): readonly PlacedEntry[] {
    const all = this.#part?.all ?? [];
    const isHidden = ({ entry, lists }: PlacedEntry) => this.findAny(method, entry.key)?.lists !== lists;
    const both = [...this.#shown(this.#merged, method), ...this.#shown(own, method)].filter((one) => !isHidden(one));
    const places = new Map(all.map((lists, at) => [lists, at]));
    const place = ({ lists }: PlacedEntry) => places.get(lists) ?? 0;
    return both.toSorted((a, b) => place(a) - place(b));
  }

  #known(): Partial<Record<ListMethod, readonly PlacedEntry[]>> {
    const { seen } = this.#merged;
    const known = seen.get(this.#caller) ?? {};
    seen.set(this.#caller, known);
    return known;
  }

  /** Whether the caller reaches an upstream at all: it sees a tool of it, or its patterns cover the upstream's prefix. */
  reaches(lists: UpstreamLists): boolean {
    if (this.#visibility.coversPrefix(this.#caller, lists.upstream.options.prefix)) return true;
    const merged = lists.isPerCaller ? this.#ownLists?.merged : this.#merged;
    return merged?.tools.get(lists)?.some((placed) => this.sees("tools/list", placed)) === true;
  }

  /** Whether the caller reaches an upstream, or would perhaps if its lists were known. */
  mayReach(lists: UpstreamLists): boolean {
    if (this.reaches(lists)) return true;
    const { prefix } = lists.upstream.options;
    return (
      lists.isPerCaller && !this.knows(lists, "tools/list") && this.#visibility.mayNameWithin(this.#caller, prefix)
    );
  }

  knows(lists: UpstreamLists, method: ListMethod): boolean {
    return lists.isPerCaller ? this.#ownLists?.knows(lists, method) === true : lists.knows(method);
  }

  /** Why a list of an upstream could not be read for the caller; undefined if it was not tried. */
  failureAt(lists: UpstreamLists, method: ListMethod): Fault | undefined {
    return lists.isPerCaller ? this.#ownLists?.find(lists)?.faults.get(method) : undefined;
  }

  freshMs(lists: UpstreamLists): number {
    if (!lists.isPerCaller) return lists.freshMs();
    const isOpen = this.#visibility.mayNameWithin(this.#caller, lists.upstream.options.prefix);
    return isOpen ? (this.#ownLists?.freshMs(lists) ?? 0) : Number.MAX_SAFE_INTEGER;
  }

  #first(one: PlacedEntry | undefined, other: PlacedEntry | undefined): PlacedEntry | undefined {
    if (one === undefined || other === undefined) return one ?? other;
    const all = this.#part?.all ?? [];
    return all.indexOf(one.lists) <= all.indexOf(other.lists) ? one : other;
  }
}

/**
 * The upstreams that a name can belong to, in the order of the file: those with the longest prefix that it begins with. It is one,
 * unless prefixes are equal, which files do not allow.
 */
export function possibleOwners(name: string, all: readonly UpstreamLists[]): readonly UpstreamLists[] {
  const possible = all.filter(({ upstream }) => name.startsWith(upstream.options.prefix));
  const longest = possible.reduce((most, { upstream }) => Math.max(most, upstream.options.prefix.length), 0);
  return possible.filter(({ upstream }) => upstream.options.prefix.length === longest);
}

/**
 * The first upstream whose lists are not known, among those before the upstream of the entry, or among all if there is
 * no entry. It may be the owner.
 */
export function unseenBefore(
  view: View,
  placed: PlacedEntry | undefined,
  possible: readonly UpstreamLists[],
  methods: readonly ListMethod[],
): UpstreamLists | undefined {
  const before = placed === undefined ? possible : possible.slice(0, Math.max(0, possible.indexOf(placed.lists)));
  return before.find((lists) => methods.some((method) => !view.knows(lists, method)));
}

import type { ListMethod } from "./entry.ts";
import type { Placed } from "./merged.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

/**
 * The upstreams that a name can belong to, in the order of the file: those with the longest prefix that it begins with. It is one,
 * unless prefixes are equal, which files do not allow.
 */
export function ownersOf(name: string, all: readonly UpstreamLists[]): readonly UpstreamLists[] {
  const possible = all.filter(({ upstream }) => name.startsWith(upstream.options.prefix));
  const longest = possible.reduce((most, { upstream }) => Math.max(most, upstream.options.prefix.length), 0);
  return possible.filter(({ upstream }) => upstream.options.prefix.length === longest);
}

/** The first upstream before that of an entry, or of all where there is none, whose lists are not known: it may be the owner. */
export function unseenBefore(
  placed: Placed | undefined,
  possible: readonly UpstreamLists[],
  methods: readonly ListMethod[],
): UpstreamLists | undefined {
  const before = placed === undefined ? possible : possible.slice(0, Math.max(0, possible.indexOf(placed.lists)));
  return before.find((lists) => methods.some((method) => !lists.knows(method)));
}

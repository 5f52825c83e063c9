// Looks names up in the exact index. It runs in browsers, so it imports nothing.

/** Names of one sort. */
export interface IndexGroup {
  /** What the names are, as the results say it. */
  readonly label: string;
  /** The address of a name: `{}` stands for the name. */
  readonly at: string;
  /** What stands in addresses instead of the name. @default the name */
  readonly as?: Readonly<Record<string, string>>;
  /** Names with their titles. */
  readonly names: Readonly<Record<string, string>>;
}

/** All names that search looks up exactly. */
export interface ExactIndex {
  readonly groups: readonly IndexGroup[];
}

/** A name that was found. */
export interface ExactHit {
  readonly label: string;
  readonly name: string;
  readonly title: string;
  /** The address, from the root of the site. */
  readonly address: string;
  /** Whether the query is the name, and not only its beginning. */
  readonly isExact: boolean;
}

/** Words that people write before a name. */
const WORDS_BEFORE = /^(?:recourse|http|code|error|errno|status)\s+(?=\S)/;

/** How well a name fits, 0 best. Undefined if it does not. */
function rankName(name: string, query: string): number | undefined {
  if (name === query) return 0;
  const [, own = name] = /\/(.+)$/.exec(name) ?? [];
  if (own === query || name === `-${query}`) return 1;
  if (name.startsWith(query)) return 2;
  // Numbers are not found by their digits: 32 is the beginning of too many.
  if (/^-?\d+$/.test(query)) return undefined;
  return own.startsWith(query) ? 3 : name.split(/[/_.-]/).some((part) => part.startsWith(query)) ? 4 : undefined;
}

/** Finds names by their whole text or their beginning, the best first. */
export function findExact({ groups }: ExactIndex, query: string, limit = 8): readonly ExactHit[] {
  const asked = query.trim().toLowerCase().replace(WORDS_BEFORE, "");
  if (asked === "") return [];
  return groups
    .flatMap(({ label, at, as = {}, names }) =>
      Object.entries(names).flatMap(([name, title]) => {
        const rank = rankName(name.toLowerCase(), asked);
        if (rank === undefined) return [];
        const inAddress = Object.hasOwn(as, name) ? as[name] : undefined;
        const address = at.replace("{}", () => inAddress ?? encodeURI(name));
        return [{ rank, hit: { label, name, title, address, isExact: rank <= 1 } }];
      }),
    )
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ hit }) => hit);
}

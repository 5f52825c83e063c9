import data from "../../data/prefixes.json" with { type: "json" };

/** What a prefix says about the numbers that start with it. */
export const PREFIX_STATUSES = [
  "member",
  "demo",
  "publication",
  "restricted",
  "reserved",
  "not_trade_item",
  "unknown",
] as const;
/** The status of a prefix. */
type PrefixStatus = (typeof PREFIX_STATUSES)[number];

/** The organisation that issues numbers with a prefix. It does not say where a product comes from. */
export interface Prefix {
  readonly status: PrefixStatus;
  readonly label: string;
}

interface Range extends Prefix {
  readonly from: string;
  readonly to: string;
}

/** The version of the prefix list, which changes over time. */
export const PREFIX_DATA_VERSION: string = data.version;

const UNKNOWN: Prefix = { status: "unknown", label: "Not assigned in this version of the list" };
const byLength = (ranges: readonly Range[]) => ranges.toSorted((a, b) => b.from.length - a.from.length);
const GTIN = byLength(data.gtin as readonly Range[]);
const GTIN_8 = byLength(data.gtin8 as readonly Range[]);

/** The prefix of a number of 14 digits. */
export function prefixOf(gtin14: string): Prefix {
  const isGtin8 = gtin14.startsWith("000000");
  const own = isGtin8 ? find(GTIN_8, gtin14.slice(6)) : undefined;
  // A GTIN-8 without a range of its own is in a common range. The first of fourteen digits is the packaging level.
  const { status, label } = own ?? find(GTIN, gtin14.slice(isGtin8 ? 6 : 1)) ?? UNKNOWN;
  return { status, label };
}

/** Longer prefixes come first: they are exceptions to the shorter ones. */
function find(ranges: readonly Range[], digits: string): Range | undefined {
  return ranges.find(({ from, to }) => {
    const start = digits.slice(0, from.length);
    return start >= from && start <= to;
  });
}

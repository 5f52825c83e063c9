// Callers in an order: those that limits refuse, and those that incidents hit, as one list.
import type { Hit, LimitRefusal, Limits, Rate } from "../../api/types.ts";
import { count } from "../../format/numbers.ts";

/** What callers are ranked by. */
export const RANKINGS = ["refused", "incidents", "calls"] as const;
/** One of them. */
export type Ranking = (typeof RANKINGS)[number];

/** A caller with its counts. Undefined: not known, which is not none. */
export interface RankedCaller {
  readonly caller: string;
  readonly tenant: string | undefined;
  /** The limits that refused it, the one that refused most first. */
  readonly limits: readonly Pick<LimitRefusal, "policy" | "rate" | "refused">[];
  readonly refused: number;
  readonly incidents: number | undefined;
  readonly calls: number | undefined;
  /** When it was last refused or hit. */
  readonly last: string;
}

/** Joins what is known of callers, the largest first. */
export function rankCallers(
  { refusals, hits }: { readonly refusals: readonly LimitRefusal[]; readonly hits: readonly Hit[] },
  by: Ranking,
): readonly RankedCaller[] {
  const found = new Map<string, RankedCaller>();
  for (const { caller, tenant, policy, rate, refused, incidents, calls, last } of refusals) {
    if (caller === undefined) continue;
    const known = found.get(caller);
    const limit = { policy, refused, ...(rate !== undefined && { rate }) };
    found.set(caller, {
      caller,
      tenant: known?.tenant ?? tenant ?? readTenant(caller),
      limits: [...(known?.limits ?? []), limit].toSorted((one, other) => other.refused - one.refused),
      refused: (known?.refused ?? 0) + refused,
      incidents: known?.incidents ?? incidents,
      calls: known?.calls ?? calls,
      last: later(known?.last, last),
    });
  }
  for (const { group, count: incidents, last } of hits) {
    const known = found.get(group) ?? {
      caller: group,
      tenant: readTenant(group),
      limits: [],
      refused: 0,
      calls: undefined,
      last,
    };
    found.set(group, { ...known, incidents, last: later(known.last, last) });
  }
  return [...found.values()].toSorted((one, other) => compareCounts(one, other, by));
}

function later(one: string | undefined, other: string): string {
  return one !== undefined && Date.parse(one) > Date.parse(other) ? one : other;
}

/** The larger first. Equal ones are in the order of the other counts, then of their names. */
function compareCounts(one: RankedCaller, other: RankedCaller, by: Ranking): number {
  for (const name of [by, ...RANKINGS]) {
    const more = (other[name] ?? 0) - (one[name] ?? 0);
    if (more !== 0) return more;
  }
  return one.caller < other.caller ? -1 : 1;
}

/** The parts of a caller's id: issuer, tenant and subject. Undefined if it is a digest or something else. */
export function callerParts(
  caller: string,
): { readonly issuer: string; readonly tenant: string; readonly subject: string } | undefined {
  try {
    const parts: unknown = JSON.parse(caller);
    if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === "string"))
      return undefined;
    const [issuer, tenant, subject] = parts as [string, string, string];
    return { issuer, tenant, subject };
  } catch {
    return undefined;
  }
}

function readTenant(caller: string): string | undefined {
  return callerParts(caller)?.tenant;
}

/** A rate in words, such as `20 a second, 40 at once`. */
export function rateWords({ perSecond, burst }: Rate): string {
  const [per, unit] =
    perSecond >= 1
      ? [perSecond, "a second"]
      : perSecond * 60 >= 1
        ? [perSecond * 60, "a minute"]
        : [perSecond * 3_600, "an hour"];
  return `${count(Math.round(per * 100) / 100)} ${unit}, ${count(burst)} at once`;
}

/** The limits in force, with what each counts. */
export function listLimits(limits: Limits): readonly { readonly name: string; readonly rate: Rate }[] {
  const plain = PLAIN_LIMITS.flatMap(({ member, name }) => {
    const rate = limits[member];
    return rate === undefined ? [] : [{ name, rate }];
  });
  return [...plain, ...limits.tools.map(({ pattern, rate }) => ({ name: pattern, rate }))];
}

const PLAIN_LIMITS = [
  { member: "address", name: "each address" },
  { member: "key", name: "each caller" },
  { member: "tenant", name: "each tenant" },
  { member: "cost", name: "cost of each caller" },
] as const;

/** What calls get while the store of the limits is down. */
export const LIMITS_DOWN = {
  closed: "Calls with a limit are refused until it is up again.",
  open: "Calls pass without limits until it is up again.",
  local: "Each process counts for itself until it is up again.",
} as const satisfies Record<Limits["away"], string>;

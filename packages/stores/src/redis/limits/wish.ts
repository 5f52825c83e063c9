import type { LimitClaim } from "./contract.ts";
import type { Lease } from "./lease.ts";

/** How long the server keeps leased tokens on record, in ms. */
export const LEASE_MS = 200;
/** Ints for each bucket in the answer of the script, after the first two. */
const ROW = 4;

/** What is asked of one bucket. */
export interface Wish {
  readonly lease: Lease;
  /** Tokens for a call. */
  readonly need: number;
  /** Tokens to lease besides. */
  readonly want: number;
  /** Tokens to return, all that are held; undefined leaves the record of this process as it is. */
  readonly give: number | undefined;
}

/** What the server answered for one bucket. */
export interface Granted {
  readonly wish: Wish;
  readonly leased: number;
  /** How long until there are enough for the need; 0 where there were. */
  readonly waitMs: number;
  /** See `giveBack` in scripts.ts. */
  readonly existed: number;
  readonly returned: number;
}

/** Tokens of a claim: never more than the bucket can hold. */
export function costOf({ bucket, cost }: LimitClaim): number {
  return cost < bucket.burst ? cost : bucket.burst;
}

/** The arguments of the script `take`. */
export function takeArguments(replica: string, number: number, wishes: readonly Wish[]): string[] {
  const args = [replica, String(number), String(LEASE_MS)];
  for (const { lease, need, want, give } of wishes) {
    const { perSecond, burst } = lease.bucket;
    // What is returned is held no more, and more is never held while something is asked.
    args.push(String(perSecond), String(burst), String(need), String(want));
    args.push(give === undefined ? "-1" : "0", String(give ?? 0));
  }
  return args;
}

/** Reads the answer of the script `take`. Some clients are set to answer with other types of numbers. */
export function readReply(reply: readonly unknown[], wishes: readonly Wish[]) {
  const rows = wishes.map((wish, index): Granted => {
    const at = 2 + ROW * index;
    return {
      wish,
      leased: Number(reply[at]),
      waitMs: Number(reply[at + 1]),
      existed: Number(reply[at + 2]),
      returned: Number(reply[at + 3]),
    };
  });
  return { isGiven: Number(reply[0]) === 1, atUs: Number(reply[1]), rows };
}

/** Claims by group, in their order. */
export function groupsOf(claims: readonly LimitClaim[]): readonly (readonly LimitClaim[])[] {
  const first = claims[0]?.bucket.group;
  if (claims.every(({ bucket }) => bucket.group === first)) return [claims];
  return [...Map.groupBy(claims, ({ bucket }) => bucket.group).values()];
}

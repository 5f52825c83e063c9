import type { LimitClaim, LimitTaken } from "./contract.ts";
import type { Lease, Leases } from "./leases.ts";
import type { LimitServer } from "./limit-server.ts";

/** How long the server keeps leased tokens on record, in ms. */
export const LEASE_MS = 200;
/** Ints for each bucket in the answer of the script, after the first two. */
const ROW = 4;

/** What is asked of one bucket. */
export interface TokenRequest {
  readonly lease: Lease;
  readonly need: number;
  /** Tokens to lease besides. */
  readonly want: number;
  /** Tokens to return, all that are held; undefined leaves the record of this process as it is. */
  readonly give: number | undefined;
}

/** What the server answered for one bucket. */
interface TokenGrant {
  readonly wish: TokenRequest;
  readonly leased: number;
  /** How long until there are enough for the need; 0 if there were. */
  readonly waitMs: number;
  /** See `giveBack` in scripts.ts. */
  readonly existed: number;
  readonly returned: number;
}

/** Tokens of a claim: never more than the bucket can hold. */
export function claimCost({ bucket, cost }: LimitClaim): number {
  return cost < bucket.burst ? cost : bucket.burst;
}

/** The arguments of the script `take`. */
export function takeArguments(replica: string, number: number, wishes: readonly TokenRequest[]): string[] {
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
export function readReply(reply: readonly unknown[], wishes: readonly TokenRequest[]) {
  const rows = wishes.map((wish, index): TokenGrant => {
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
export function groupClaims(claims: readonly LimitClaim[]): readonly (readonly LimitClaim[])[] {
  const first = claims[0]?.bucket.group;
  if (claims.every(({ bucket }) => bucket.group === first)) return [claims];
  return [...Map.groupBy(claims, ({ bucket }) => bucket.group).values()];
}

interface ExactTokens {
  readonly lease: Lease;
  readonly cost: number;
  readonly atUs: number;
  readonly existed: number;
  readonly returned: number;
}

/** What `TakenTokens` needs to give tokens back. */
export interface TakenSource {
  readonly leases: Leases;
  readonly server: LimitServer;
  readonly now: () => number;
}

export class TakenTokens implements LimitTaken {
  readonly ok = true;
  readonly #source: TakenSource;
  readonly #epoch: number;
  #held: readonly LimitClaim[] = [];
  #exact: ExactTokens[] | undefined = undefined;

  /** `epoch` is the number of the last request when the tokens were taken. */
  constructor(source: TakenSource, epoch: number) {
    this.#source = source;
    this.#epoch = epoch;
  }

  get takenAtUs(): number | undefined {
    return this.#exact?.at(-1)?.atUs;
  }

  /** Adds tokens that this process held. */
  addHeld(claims: readonly LimitClaim[]): void {
    this.#held = this.#held.length === 0 ? claims : [...this.#held, ...claims];
  }

  /** Adds tokens that the server gave for this call. */
  addExact(exact: ExactTokens): void {
    this.#exact ??= [];
    this.#exact.push(exact);
  }

  giveBack(): void {
    const { leases, server, now } = this.#source;
    const at = now();
    for (const claim of this.#held) {
      const lease = leases.get(claim.bucket);
      // Since a later request the server no longer has them on record.
      if (lease === undefined || lease.epoch > this.#epoch || at >= lease.until) continue;
      lease.held += claimCost(claim);
    }
    this.#held = [];
    for (const group of Map.groupBy(this.#exact ?? [], ({ lease }) => lease.bucket.group).values()) {
      const args = [String(group[0]?.atUs)];
      for (const { lease, cost, existed, returned } of group) {
        const { perSecond, burst } = lease.bucket;
        args.push(String(perSecond), String(burst), String(cost), String(existed), String(returned));
      }
      if (server.away === undefined)
        server.giveBack(
          group.map(({ lease }) => lease.key),
          args,
        );
    }
    this.#exact = undefined;
  }
}

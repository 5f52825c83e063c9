import type { LimitClaim, LimitTaken } from "./contract.ts";
import type { Lease } from "./lease.ts";
import type { Leases } from "./leases.ts";
import type { LimitServer } from "./limit-server.ts";
import { costOf } from "./wish.ts";

/** Tokens that the server gave for one call. */
interface Exact {
  readonly lease: Lease;
  readonly cost: number;
  readonly atUs: number;
  readonly existed: number;
  readonly returned: number;
}

/** What `Taken` needs to give tokens back. */
export interface TakenSource {
  readonly leases: Leases;
  readonly server: LimitServer;
  readonly now: () => number;
}

/** The tokens of one call. */
export class Taken implements LimitTaken {
  readonly ok = true;
  readonly #source: TakenSource;
  readonly #epoch: number;
  #held: readonly LimitClaim[] = [];
  #exact: Exact[] | undefined = undefined;

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
  addExact(exact: Exact): void {
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
      lease.held += costOf(claim);
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

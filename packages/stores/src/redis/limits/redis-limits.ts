import { checkNumbers, MAX_TIMER_MS, type TestingOptions, toClock } from "@recourse/core/wire";
import type { RedisClient } from "../client.ts";
import {
  type LimitAnswer,
  type LimitAway,
  type LimitClaim,
  type LimitRefused,
  type LimitShortage,
  type Limits,
  refusedFor,
} from "./contract.ts";
import { type Lease, Leases } from "./leases.ts";
import { checkServer, LimitServer } from "./limit-server.ts";
import {
  claimCost,
  groupClaims,
  LEASE_MS,
  readReply,
  type TakenSource,
  TakenTokens,
  type TokenRequest,
  takeArguments,
} from "./tokens.ts";

/** Options of `redisLimits`. */
export interface RedisLimitsOptions {
  /**
   * A connected client or cluster of `@redis/client`. Give it `disableOfflineQueue: true`, so that an outage is noticed at
   * once. Connections are neither opened nor closed.
   */
  readonly client: RedisClient;
  /** The name of this process on the server's records; some random letters are added. @default "" */
  readonly replica?: string;
  /** What the names of all keys begin with. @default "recourse:limits:" */
  readonly prefix?: string;
  /**
   * `leased`: a process that sees many calls takes tokens ahead, and most calls cost no round trip. `exact`: one round trip
   * for each group of each call. @default "leased"
   */
  readonly mode?: "leased" | "exact";
  /**
   * Whether all keys are on one server: then the groups of a call are asked for in one step. Not for a cluster, and not for a
   * proxy that divides keys among servers. @default false
   */
  readonly oneServer?: boolean;
  /** How long a command may take, in ms; then the server counts as down. @default 100 */
  readonly timeoutMs?: number;
  /** Called when the server goes down, by the first command that fails, and when it is up again. @default nothing */
  readonly onSwitch?: (state: "away" | "back", cause: unknown) => void;
  /** Replaces time in tests. @default the platform's */
  readonly testing?: TestingOptions;
}

/** Leased tokens are spent until this time after the moment before asking: less than the server keeps them on record. */
const USABLE_MS = LEASE_MS - 5;
/** Tokens of a bucket without calls are handed back after this time. */
const HAND_BACK_IDLE_MS = 50;
const TICK_MS = 25;
/** After waiting for so many leases a call asks for itself. */
const MAX_WAITS = 8;

type TakeFailure = LimitRefused | LimitAway;

/**
 * Token buckets in Redis or Valkey, shared by all processes: never more than `burst` + `perSecond` × seconds calls pass in
 * any span of time, also when processes crash or Redis is restarted. Only the server's clock counts.
 *
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL, disableOfflineQueue: true }).connect();
 * const limits = redisLimits({ client });
 * const bucket = { id: "key:ci", group: "acme", perSecond: 20, burst: 40 };
 * const answer = await limits.take([{ bucket, cost: 1 }]);
 * if (!answer.ok && !answer.away) console.log(`again in ${answer.waitMs} ms`);
 */
export function redisLimits(options: RedisLimitsOptions): Limits {
  return new RedisLimits(options);
}

class RedisLimits implements Limits {
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #replica: string;
  readonly #isExact: boolean;
  readonly #isOneServer: boolean;
  readonly #now: () => number;
  readonly #server: LimitServer;
  readonly #leases: Leases;
  readonly #source: TakenSource;
  /** Leases with tokens on record, which are handed back when no calls come. */
  readonly #holding = new Set<Lease>();
  #ticks: NodeJS.Timeout | undefined = undefined;
  #requests = 0;

  constructor(options: RedisLimitsOptions) {
    const { client, replica = "", prefix = "recourse:limits:", mode = "leased", timeoutMs = 100 } = options;
    const { onSwitch = () => {}, oneServer = false } = options;
    const { monotonic: now } = toClock(options.testing);
    checkNumbers("", options, { timeoutMs: { min: 1, max: MAX_TIMER_MS } });
    this.#client = client;
    this.#prefix = prefix;
    this.#replica = `${replica}~${crypto.randomUUID().slice(0, 8)}`;
    this.#isExact = mode === "exact";
    this.#isOneServer = oneServer;
    this.#now = now;
    this.#server = new LimitServer({ client, timeoutMs, onSwitch, now });
    this.#leases = new Leases(prefix);
    this.#source = { leases: this.#leases, server: this.#server, now };
  }

  get isAway(): boolean {
    return this.#server.away !== undefined;
  }

  take(claims: readonly LimitClaim[]): LimitAnswer | Promise<LimitAnswer> {
    const now = this.#now();
    let isHeld = true;
    for (const claim of claims) {
      const lease = this.#leases.of(claim.bucket, now);
      const cost = claimCost(claim);
      lease.see(now, cost);
      if (lease.usable(now) < cost) isHeld = false;
    }
    if (isHeld) return this.#spend(claims, this.#newTaken());
    const failed = this.#server.away ?? this.#refusalOf(claims, now);
    return failed ?? this.#takeGroups(claims);
  }

  check(): Promise<readonly string[]> {
    return checkServer(this.#client, this.#prefix);
  }

  async close(): Promise<void> {
    clearInterval(this.#ticks);
    if (!this.isAway) this.#handBack([...this.#holding]);
    await this.#server.close();
  }

  #newTaken(): TakenTokens {
    return new TakenTokens(this.#source, this.#requests);
  }

  async #takeGroups(claims: readonly LimitClaim[]): Promise<LimitAnswer> {
    const taken = this.#newTaken();
    for (const group of this.#isOneServer ? [claims] : groupClaims(claims)) {
      const answer = this.#takeGroup(group, taken, 0);
      const failed = answer instanceof Promise ? await answer : answer;
      if (failed === undefined) continue;
      taken.giveBack();
      return failed;
    }
    return taken;
  }

  /** Takes the tokens of one step; gives the failure if there is one. */
  #takeGroup(
    claims: readonly LimitClaim[],
    taken: TakenTokens,
    waits: number,
  ): TakeFailure | undefined | Promise<TakeFailure | undefined> {
    const now = this.#now();
    const lacking = claims.filter((claim) => this.#leases.of(claim.bucket, now).usable(now) < claimCost(claim));
    if (lacking.length === 0) {
      this.#spend(claims, taken);
      return undefined;
    }
    const failed = this.#server.away ?? this.#refusalOf(claims, now);
    if (failed !== undefined) return failed;
    const renewal = waits < MAX_WAITS ? this.#renewalOf(lacking, now) : undefined;
    if (renewal !== undefined) return renewal.then(() => this.#takeGroup(claims, taken, waits + 1));
    if (lacking.length < claims.length) {
      this.#spend(
        claims.filter((claim) => !lacking.includes(claim)),
        taken,
      );
    }
    return this.#ask(
      lacking.map((claim) => this.#wishOf(claim, now)),
      now,
      taken,
    );
  }

  /** A lease that is under way, and from which the call may be served. */
  #renewalOf(lacking: readonly LimitClaim[], now: number): Promise<void> | undefined {
    for (const claim of lacking) {
      const lease = this.#leases.of(claim.bucket, now);
      if (lease.renewal !== undefined && this.#aheadOf(lease, claimCost(claim)) > 0) return lease.renewal;
    }
    return undefined;
  }

  #aheadOf(lease: Lease, cost: number): number {
    return this.#isExact ? 0 : lease.ahead(cost);
  }

  #wishOf(claim: LimitClaim, now: number): TokenRequest {
    const lease = this.#leases.of(claim.bucket, now);
    const need = claimCost(claim);
    const want = lease.renewal === undefined ? this.#aheadOf(lease, need) : 0;
    // Too few for this call: they go back, so that the call can have them together with others.
    return want === 0 ? { lease, need, want, give: undefined } : { lease, need, want, give: lease.held };
  }

  /** Sends one request. What is held according to it is no longer held here. */
  #ask(wishes: readonly TokenRequest[], now: number, taken: TakenTokens | undefined): Promise<TakeFailure | undefined> {
    const number = ++this.#requests;
    const restating = wishes.filter(({ give }) => give !== undefined).map(({ lease }) => lease);
    const answer = this.#server
      .take(
        wishes.map(({ lease }) => lease.key),
        takeArguments(this.#replica, number, wishes),
      )
      .then((reply) => {
        for (const lease of restating) lease.renewal = undefined;
        return reply === undefined ? this.#server.away : this.#accept(reply, wishes, now, taken);
      });
    for (const lease of restating) {
      lease.held = 0;
      lease.recorded = false;
      lease.epoch = number;
      lease.renewal = answer as Promise<unknown> as Promise<void>;
    }
    return answer;
  }

  #accept(
    reply: readonly unknown[],
    wishes: readonly TokenRequest[],
    askedAt: number,
    taken: TakenTokens | undefined,
  ): LimitRefused | undefined {
    const { isGiven, atUs, rows } = readReply(reply, wishes);
    const short: LimitShortage[] = [];
    for (const { wish, leased, waitMs, existed, returned } of rows) {
      const { lease, need, give } = wish;
      if (leased > 0) this.#hold(lease, leased, askedAt + USABLE_MS);
      if (waitMs > 0) {
        lease.refuse({ now: this.#now(), cost: need, waitMs, leased: give !== undefined });
        short.push({ bucket: lease.bucket, waitMs });
      } else if (isGiven && need > 0) taken?.addExact({ lease, cost: need, existed, returned, atUs });
    }
    return short.length === 0 ? undefined : refusedFor(short);
  }

  #hold(lease: Lease, tokens: number, until: number): void {
    lease.held = tokens;
    lease.until = until;
    lease.recorded = true;
    this.#holding.add(lease);
    this.#ticks ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  #spend(claims: readonly LimitClaim[], taken: TakenTokens): TakenTokens {
    for (const claim of claims) {
      const lease = this.#leases.get(claim.bucket);
      if (lease !== undefined) lease.held -= claimCost(claim);
    }
    taken.addHeld(claims);
    return taken;
  }

  #refusalOf(claims: readonly LimitClaim[], now: number): LimitRefused | undefined {
    let short: LimitShortage[] | undefined;
    for (const claim of claims) {
      const lease = this.#leases.of(claim.bucket, now);
      const waitMs = lease.usable(now) < claimCost(claim) ? lease.refusedFor(now, claimCost(claim)) : 0;
      if (waitMs === 0) continue;
      short ??= [];
      short.push({ bucket: claim.bucket, waitMs: Math.ceil(waitMs) });
    }
    return short === undefined ? undefined : refusedFor(short);
  }

  #tick(): void {
    const now = this.#now();
    const idle: Lease[] = [];
    for (const lease of this.#holding) {
      lease.usable(now);
      if (!lease.recorded) this.#holding.delete(lease);
      else if (now - lease.lastSeen >= HAND_BACK_IDLE_MS && lease.renewal === undefined) idle.push(lease);
    }
    if (this.#server.away === undefined) this.#handBack(idle);
    if (this.#holding.size > 0) return;
    clearInterval(this.#ticks);
    this.#ticks = undefined;
  }

  /** Says that nothing is held any more, and returns what is left. */
  #handBack(leases: readonly Lease[]): void {
    const now = this.#now();
    for (const group of Map.groupBy(leases, ({ bucket }) => bucket.group).values()) {
      const wishes = group.map((lease) => ({ lease, need: 0, want: 0, give: lease.usable(now) }));
      for (const lease of group) this.#holding.delete(lease);
      void this.#ask(wishes, now, undefined);
    }
  }
}

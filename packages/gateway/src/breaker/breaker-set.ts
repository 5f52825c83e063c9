import { randomUUID } from "node:crypto";
import { type BreakerSignal, toBreakerRules } from "@recourse/core/retry";
import type { Observer } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { Stores } from "../stores/open-stores.ts";
import { BREAKER_CHANNEL, BreakerServer, type SharedBreaker } from "./breaker-server.ts";
import {
  type BreakerAnswer,
  type BreakerFlip,
  type BreakerScope,
  type Breakers,
  type BreakerTicket,
  type BreakerView,
  readScope,
  scopeId,
} from "./breakers.ts";
import { FIRST_GO, Replica, type ReplicaOptions } from "./replica.ts";

export interface BreakerSetOptions extends Omit<ReplicaOptions, "onFlip"> {
  readonly upstreams: readonly string[];
  /** Where replicas share what they know; undefined if there is one process. */
  readonly server: BreakerServer | undefined;
  /** A text that no other probe of any replica has. */
  readonly newToken: () => string;
  /** This process has counted enough failures, so that a breaker that was closed opens. @default nothing is done */
  readonly onTrip?: (scope: BreakerScope) => void;
  /** A breaker was opened or closed. If replicas share Redis, each of them reports it. @default nothing is done */
  readonly onFlip?: (flip: BreakerFlip) => void;
  /** How often a breaker that is not closed is looked at in Redis, in ms. All are looked at every fourth time. @default 500 */
  readonly tickMs?: number;
}

/** The wait for a probe is this much longer than the probe may take. */
const SLACK_MS = 1_000;
/** All breakers are looked at every so many times, for messages that were lost. */
const ALL_TICKS = 4;
/** The most tools whose failures are remembered. */
const MAX_KNOWN_TOOLS = 10_000;

/** The breakers of one process. What Redis says counts more than what was counted here; without Redis this process decides. */
export class BreakerSet implements Breakers {
  readonly #options: BreakerSetOptions;
  readonly #replicaOptions: ReplicaOptions;
  readonly #replicas = new Map<string, Replica>();
  /** Calls that ask for the probe of an upstream; others wait for them. */
  readonly #asking = new Map<string, Promise<unknown>>();
  /** Probes that only this process knows. */
  readonly #ownProbes = new WeakSet<BreakerTicket>();
  /** The last change of each breaker that was reported, by the name that all replicas have for it. */
  readonly #epochs = new WeakMap<Replica, string>();
  readonly #ticks: NodeJS.Timeout | undefined;
  #tickCount = 0;

  constructor(options: BreakerSetOptions) {
    this.#options = options;
    this.#replicaOptions = { ...options, onFlip: (replica) => this.#flippedHere(replica) };
    for (const name of options.upstreams) this.#replicaOf(name);
    if (options.server === undefined) return;
    this.#lookAtAll();
    this.#ticks = setInterval(() => this.#tick(), options.tickMs ?? 500).unref();
  }

  ask(scope: BreakerScope, timeoutMs: number): BreakerAnswer | Promise<BreakerAnswer> {
    const id = scopeId(scope);
    const replica = scope.tool === undefined ? this.#replicaOf(id) : this.#replicas.get(id);
    return replica === undefined ? FIRST_GO : this.#ask(replica, timeoutMs);
  }

  #ask(replica: Replica, timeoutMs: number): BreakerAnswer | Promise<BreakerAnswer> {
    const answer = replica.answer();
    if (answer !== undefined) return answer;
    const { newToken } = this.#options;
    const server = this.#server;
    if (server === undefined) {
      const go = replica.probe(newToken(), timeoutMs + SLACK_MS);
      this.#ownProbes.add(go.pass);
      return go;
    }
    const asking = this.#asking.get(replica.id);
    if (asking !== undefined) return asking.then(() => this.#ask(replica, timeoutMs));
    const asked = this.#askShared(server, replica, timeoutMs);
    this.#asking.set(replica.id, asked);
    return asked;
  }

  tell(scope: BreakerScope, pass: BreakerTicket, signal: BreakerSignal): void {
    const id = scopeId(scope);
    const replica = this.#replicas.get(id) ?? (signal === "failure" ? this.#replicaOf(id) : undefined);
    if (replica === undefined) return;
    const server = this.#server;
    if (pass.probe !== undefined && server !== undefined && !this.#ownProbes.has(pass)) {
      void this.#tellShared(server, replica, pass, signal);
    } else if (replica.record(pass, signal)) {
      this.#options.onTrip?.(scope);
      if (server !== undefined) void this.#tripShared(server, replica);
    }
  }

  get views(): readonly BreakerView[] {
    const scope = this.#server === undefined ? "local" : "shared";
    return this.#upstreamsAndHeldBack().map((replica) => replica.view(scope));
  }

  async reset(scope: BreakerScope): Promise<void> {
    const { server } = this.#options;
    const named = this.#replicaOf(scopeId(scope));
    for (const replica of scope.tool === undefined ? this.#replicas.values() : [named]) {
      if (readScope(replica.id).upstream !== scope.upstream) continue;
      const isDone = server === undefined || (await this.#take(replica, server.reset(replica.id)));
      if (!isDone) throw new Error("Redis does not answer, so the breaker was not reset.");
      replica.close();
    }
  }

  changed(id: string): void {
    const isKnown = this.#replicas.has(id) || this.#replicas.has(readScope(id).upstream);
    if (isKnown) this.#look(this.#replicaOf(id));
  }

  /** Redis went away: from now on this process decides alone. */
  leave(): void {
    for (const replica of this.#replicas.values()) replica.leaveShared();
  }

  /** Redis is up again. It gets what was found out meanwhile, since it may have forgotten everything. */
  rejoin(): void {
    for (const replica of this.#replicas.values()) {
      const { state, afterMs = 0 } = replica.view("shared");
      if (state === "open" && afterMs > 0) void this.#take(replica, this.#server?.trip(replica.id));
      else this.#look(replica);
    }
  }

  close(): void {
    clearInterval(this.#ticks);
    this.#options.server?.close();
  }

  /** Redis; undefined while it is down, or if the gateway has none. */
  get #server(): BreakerServer | undefined {
    const { server } = this.#options;
    return server?.isAway === false ? server : undefined;
  }

  #replicaOf(id: string): Replica {
    const known = this.#replicas.get(id);
    if (known !== undefined) return known;
    const replica = new Replica(id, this.#replicaOptions);
    if (this.#replicas.size > MAX_KNOWN_TOOLS) this.#forgetOne();
    this.#replicas.set(id, replica);
    return replica;
  }

  /** Forgets the tool that has been known for the longest time, if one of them is not held back. */
  #forgetOne(): void {
    for (const { id, isClosed } of this.#replicas.values()) {
      if (!isClosed || readScope(id).tool === undefined) continue;
      this.#replicas.delete(id);
      return;
    }
  }

  #upstreamsAndHeldBack(): readonly Replica[] {
    return [...this.#replicas.values()].filter(({ id, isClosed }) => !isClosed || readScope(id).tool === undefined);
  }

  async #askShared(server: BreakerServer, replica: Replica, timeoutMs: number): Promise<BreakerAnswer> {
    const token = this.#options.newToken();
    const shared = await server.ask(replica.id, token, timeoutMs + SLACK_MS);
    this.#asking.delete(replica.id);
    if (shared !== undefined) this.#takeShared(replica, shared);
    if (shared?.isProbe === true) return replica.probe(token, shared.restMs);
    return this.#ask(replica, timeoutMs);
  }

  async #tellShared(
    server: BreakerServer,
    replica: Replica,
    pass: BreakerTicket,
    signal: BreakerSignal,
  ): Promise<void> {
    const isTold = await this.#take(replica, server.tell(replica.id, pass.probe ?? "", signal));
    if (!isTold) replica.record(pass, signal);
  }

  async #tripShared(server: BreakerServer, replica: Replica): Promise<void> {
    const isTold = await this.#take(replica, server.trip(replica.id));
    if (!isTold) this.#flippedHere(replica);
  }

  /** Takes over what Redis answers; false if Redis does not answer. */
  async #take(replica: Replica, answer: ReturnType<BreakerServer["look"]> | undefined): Promise<boolean> {
    const shared = await answer;
    if (shared === undefined) return false;
    this.#takeShared(replica, shared);
    return true;
  }

  /** What all replicas know names a change in the same way for all of them. */
  #takeShared(replica: Replica, shared: SharedBreaker): void {
    const wasClosed = replica.isClosed;
    const { failures } = replica;
    replica.take(shared);
    const known = this.#epochs.get(replica);
    const what = shared.at === "closed" ? "closed" : "opened";
    // Redis has forgotten a breaker that nobody asked about.
    const isForgotten = shared.sinceMs === undefined && shared.at === "closed" && !wasClosed;
    const epoch = isForgotten ? `after ${known ?? "start"}` : shared.sinceMs?.toFixed();
    if (epoch === undefined || epoch === known) return;
    this.#epochs.set(replica, epoch);
    this.#options.onFlip?.({
      ...{ ...readScope(replica.id), what, epoch },
      // Another process has counted what this one learns of.
      failures: what === "closed" || wasClosed ? undefined : failures,
    });
  }

  /** Without Redis a change is known here only. */
  #flippedHere(replica: Replica): void {
    if (this.#server !== undefined) return;
    const { isClosed, failures } = replica;
    const what = isClosed ? "closed" : "opened";
    this.#options.onFlip?.({
      ...{ ...readScope(replica.id), what, epoch: undefined },
      failures: isClosed ? undefined : failures,
    });
  }

  #look(replica: Replica): void {
    void this.#take(replica, this.#server?.look(replica.id));
  }

  #lookAtAll(): void {
    for (const replica of this.#replicas.values()) this.#look(replica);
  }

  #tick(): void {
    this.#tickCount += 1;
    const isAll = this.#tickCount % ALL_TICKS === 0;
    for (const replica of this.#upstreamsAndHeldBack()) if (isAll || !replica.isClosed) this.#look(replica);
  }
}

export function openBreakers(
  { breaker, upstreams }: Pick<GatewayConfig, "breaker" | "upstreams">,
  stores: BreakerStores,
  observer: Pick<Observer, "switched" | "breaker">,
  { onTrip, onFlip }: Required<Pick<BreakerSetOptions, "onTrip" | "onFlip">>,
): Breakers | undefined {
  if (breaker === undefined) return undefined;
  const { failures, pauseMs, maxPauseMs } = breaker;
  const rules = toBreakerRules({ failures, pauseMs, maxPauseMs });
  const server =
    stores.mode === "memory"
      ? undefined
      : new BreakerServer({
          redis: stores.redis,
          rules,
          random: Math.random,
          onSwitch(state) {
            observer.switched("breakers", state, "each process counts for itself");
            if (state === "away") set.leave();
            else set.rejoin();
          },
        });
  const set = new BreakerSet({
    rules,
    server,
    upstreams: upstreams.map(({ name }) => name),
    now: () => performance.now(),
    random: Math.random,
    newToken: randomUUID,
    onChange: (scope, state) => observer.breaker(scope, state),
    onTrip,
    onFlip,
  });
  if (stores.mode === "shared") void stores.redis.listen(BREAKER_CHANNEL, (id) => set.changed(id));
  return set;
}

type BreakerStores = { readonly mode: "memory" } | Pick<Extract<Stores, { mode: "shared" }>, "mode" | "redis">;

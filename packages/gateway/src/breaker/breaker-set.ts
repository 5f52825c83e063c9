import type { BreakerServer } from "./breaker-server.ts";
import type { BreakerAnswer, BreakerPass, BreakerSignal, Breakers, BreakerView } from "./breakers.ts";
import { Replica, type ReplicaOptions } from "./replica.ts";

/** Options of `BreakerSet`. */
export interface BreakerSetOptions extends ReplicaOptions {
  /** The upstreams that are known from the start. */
  readonly upstreams: readonly string[];
  /** Where replicas share what they know; undefined where there is one process. */
  readonly server: BreakerServer | undefined;
  /** A text that no other probe of any replica has. */
  readonly newToken: () => string;
  /** How often a breaker that is not closed is looked at in Redis, in ms. All are looked at every fourth time. @default 500 */
  readonly tickMs?: number;
}

/** A probe is waited for this much longer than it may take. */
const SLACK_MS = 1_000;
/** All breakers are looked at every so many times, for messages that were lost. */
const ALL_TICKS = 4;

/** The breakers of one process. What Redis says counts more than what was counted here; without Redis this process decides. */
export class BreakerSet implements Breakers {
  readonly #options: BreakerSetOptions;
  readonly #replicas = new Map<string, Replica>();
  /** Calls that ask for the probe of an upstream; others wait for them. */
  readonly #asking = new Map<string, Promise<unknown>>();
  /** Probes that only this process knows. */
  readonly #ownProbes = new WeakSet<BreakerPass>();
  readonly #ticks: NodeJS.Timeout | undefined;
  #tickCount = 0;

  constructor(options: BreakerSetOptions) {
    this.#options = options;
    for (const name of options.upstreams) this.#replicaOf(name);
    if (options.server === undefined) return;
    this.#lookAtAll();
    this.#ticks = setInterval(() => this.#tick(), options.tickMs ?? 500).unref();
  }

  ask({ name, timeoutMs }: Parameters<Breakers["ask"]>[0]): BreakerAnswer | Promise<BreakerAnswer> {
    const replica = this.#replicaOf(name);
    const answer = replica.answer();
    if (answer !== undefined) return answer;
    const { newToken } = this.#options;
    const server = this.#server;
    if (server === undefined) {
      const go = replica.probe(newToken(), timeoutMs + SLACK_MS);
      this.#ownProbes.add(go.pass);
      return go;
    }
    const asking = this.#asking.get(name);
    if (asking !== undefined) return asking.then(() => this.ask({ name, timeoutMs }));
    const asked = this.#askShared(server, replica, timeoutMs);
    this.#asking.set(name, asked);
    return asked;
  }

  tell(upstream: string, pass: BreakerPass, signal: BreakerSignal): void {
    const replica = this.#replicaOf(upstream);
    const server = this.#server;
    if (pass.probe !== undefined && server !== undefined && !this.#ownProbes.has(pass)) {
      void this.#tellShared(server, replica, pass, signal);
    } else if (replica.record(pass, signal) && server !== undefined) {
      void this.#take(replica, server.trip(upstream));
    }
  }

  get views(): readonly BreakerView[] {
    const scope = this.#server === undefined ? "local" : "shared";
    return [...this.#replicas.values()].map((replica) => replica.view(scope));
  }

  async reset(upstream: string): Promise<void> {
    const replica = this.#replicaOf(upstream);
    const { server } = this.#options;
    const isDone = server === undefined || (await this.#take(replica, server.reset(upstream)));
    if (!isDone) throw new Error("Redis does not answer, so the breaker was not reset.");
    replica.close();
  }

  /** A message says that a breaker has changed. */
  changed(upstream: string): void {
    const replica = this.#replicas.get(upstream);
    if (replica !== undefined) this.#look(replica);
  }

  /** Redis went away: from now on this process decides alone. */
  leave(): void {
    for (const replica of this.#replicas.values()) replica.leaveShared();
  }

  /** Redis is back. What was found out meanwhile is told, as it may have forgotten everything. */
  rejoin(): void {
    for (const replica of this.#replicas.values()) {
      const { state, afterMs = 0 } = replica.view("shared");
      if (state === "open" && afterMs > 0) void this.#take(replica, this.#server?.trip(replica.upstream));
      else this.#look(replica);
    }
  }

  close(): void {
    clearInterval(this.#ticks);
    this.#options.server?.close();
  }

  /** Redis; undefined while it is away, or where there is none. */
  get #server(): BreakerServer | undefined {
    const { server } = this.#options;
    return server?.isAway === false ? server : undefined;
  }

  #replicaOf(name: string): Replica {
    const known = this.#replicas.get(name);
    if (known !== undefined) return known;
    const replica = new Replica(name, this.#options);
    this.#replicas.set(name, replica);
    return replica;
  }

  async #askShared(server: BreakerServer, replica: Replica, timeoutMs: number): Promise<BreakerAnswer> {
    const token = this.#options.newToken();
    const { upstream } = replica;
    const shared = await server.ask(upstream, token, timeoutMs + SLACK_MS);
    this.#asking.delete(upstream);
    if (shared !== undefined) replica.take(shared);
    if (shared?.isProbe === true) return replica.probe(token, shared.restMs);
    return this.ask({ name: upstream, timeoutMs });
  }

  async #tellShared(server: BreakerServer, replica: Replica, pass: BreakerPass, signal: BreakerSignal): Promise<void> {
    const isTold = await this.#take(replica, server.tell(replica.upstream, pass.probe ?? "", signal));
    if (!isTold) replica.record(pass, signal);
  }

  /** Takes over what Redis answers; false where it does not. */
  async #take(replica: Replica, answer: ReturnType<BreakerServer["look"]> | undefined): Promise<boolean> {
    const shared = await answer;
    if (shared === undefined) return false;
    replica.take(shared);
    return true;
  }

  #look(replica: Replica): void {
    void this.#take(replica, this.#server?.look(replica.upstream));
  }

  #lookAtAll(): void {
    for (const replica of this.#replicas.values()) this.#look(replica);
  }

  #tick(): void {
    this.#tickCount += 1;
    const isAll = this.#tickCount % ALL_TICKS === 0;
    for (const replica of this.#replicas.values()) if (isAll || !replica.isClosed) this.#look(replica);
  }
}

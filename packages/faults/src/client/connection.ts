import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import { cancelled } from "../reasons/library/core.ts";
import { not_initialized, session_not_found, version_unsupported } from "../reasons/library/protocol.ts";
import { exited, not_connected } from "../reasons/library/transport.ts";
import type { Reconnection } from "./options.ts";
import { asPeer, type Peer } from "./peer.ts";
import type { ClientLike } from "./types.ts";

/** What a connection needs to come back. */
export interface ConnectionOptions<C> {
  readonly reconnect?: ((why: Fault, last: Reconnection<C>) => Promise<C>) | undefined;
  readonly clock: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** Told about a reconnection that failed. */
  readonly onFailed: (fault: Fault, cause: unknown) => void;
}

/** Failures after which no further request on the same client can succeed. */
const FINAL: readonly string[] = [session_not_found, version_unsupported, not_initialized, not_connected, exited].map(
  (reason) => reason.id,
);

/** How long a reconnection may take, and the waits after failed ones. */
const LIMIT_MS = 30_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

const CLIENT = { origin: { layer: "client" } } as const;

/**
 * The client in use, and how another one takes its place. A reconnection is started by a call that needs it, one at a
 * time, and only prepares the connection: it never sends what was sent before.
 */
export class Connection<C extends ClientLike> {
  readonly #options: ConnectionOptions<C>;
  #peer: Peer<C>;
  #why: Fault | undefined;
  #repair: Promise<void> | undefined;
  /** Reconnections since a request got through. */
  #tries = 0;
  #nextMs = 0;

  constructor(client: C, options: ConnectionOptions<C>) {
    this.#peer = asPeer(client);
    this.#options = options;
  }

  /** The client in use, whether or not it works. */
  get peer(): Peer<C> {
    return this.#peer;
  }

  /** The client when nothing is known against it. */
  ready(): Peer<C> | undefined {
    return this.#why === undefined ? this.#peer : undefined;
  }

  /** Takes note that a request got through. */
  worked(peer: Peer<C>): void {
    if (peer === this.#peer) this.#tries = 0;
  }

  /** Takes note of a failure of a request; another client's failure says nothing about this one. */
  failed(peer: Peer<C>, fault: Fault): void {
    if (this.#options.reconnect === undefined || peer !== this.#peer || this.#why !== undefined) return;
    if (!peer.isClosed() && !FINAL.includes(fault.reason)) return;
    this.#why = fault;
    // A client that never worked is no better than none: without a wait, server and client would go round in circles.
    if (this.#tries > 0) this.#postpone();
  }

  /** The client once it works again, or the fault of a call that could not wait so long; nothing was sent by then. */
  async restored(leftMs: number, signal?: AbortSignal): Promise<Peer<C> | Fault> {
    const { clock } = this.#options;
    if (this.#repair === undefined && clock() < this.#nextMs) return this.#refusal();
    this.#repair ??= this.#reconnect().finally(() => {
      this.#repair = undefined;
    });
    await this.#within(this.#repair, leftMs, signal);
    if (signal?.aborted === true) return cancelled.fault({}, { ...CLIENT, effect: "none" });
    return this.ready() ?? this.#refusal();
  }

  async #reconnect(): Promise<void> {
    const { reconnect } = this.#options;
    const why = this.#why;
    if (reconnect === undefined || why === undefined) return;
    this.#tries += 1;
    const limit = new AbortController();
    try {
      const coming = reconnect(why, { client: this.#peer.client, signal: limit.signal }).then((client) =>
        this.#adopt(client),
      );
      if ((await this.#within(coming, LIMIT_MS)) === LATE) throw new Error("the reconnection took too long");
    } catch (cause) {
      limit.abort();
      this.#postpone();
      this.#options.onFailed(this.#refusal(), cause);
    }
  }

  #postpone(): void {
    const { clock, random } = this.#options;
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (this.#tries - 1), LONGEST_WAIT_MS);
    // Half of it is random, so that the clients of one server do not come back together.
    this.#nextMs = clock() + waitMs * (1 - random() / 2);
  }

  /** A client that comes too late is still welcome, unless there is another one by then. */
  #adopt(client: C): void {
    const peer = asPeer(client);
    if (this.#why === undefined) {
      void (client as { close?(): unknown }).close?.();
      return;
    }
    this.#peer = peer;
    this.#why = undefined;
    this.#nextMs = 0;
  }

  #refusal(): Fault {
    const afterMs = Math.max(0, Math.ceil(this.#nextMs - this.#options.clock()));
    const cause = this.#why === undefined ? {} : { cause: new FaultError(this.#why) };
    return not_connected.fault({}, { ...CLIENT, afterMs, ...cause });
  }

  /** The work, or LATE when it takes too long or nobody waits any more. */
  async #within(work: Promise<void>, ms: number, signal?: AbortSignal): Promise<typeof LATE | undefined> {
    const timer = new AbortController();
    const either = signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]);
    const late = ms === Number.POSITIVE_INFINITY ? aborted(either) : this.#options.sleep(ms, either);
    const giveUp = (): typeof LATE => LATE;
    try {
      return await Promise.race([work.then(() => undefined), late.then(giveUp, giveUp)]);
    } finally {
      timer.abort();
    }
  }
}

const LATE: unique symbol = Symbol("late");

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

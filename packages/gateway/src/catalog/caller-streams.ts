import type { Fault } from "@recourse/core";
import { protocol, resource } from "@recourse/core/reasons";
import { race } from "@recourse/core/wire";
import type { Call, Step } from "../call/call.ts";
import type { Holder } from "../call/caller.ts";
import type { FairPool } from "../limits/fair-pool.ts";
import { shareFault } from "../limits/shares.ts";
import type { CallerStream, KeptSubscriptions, OpenStreams } from "../sessions/open-streams.ts";
import type { Feeds } from "./feeds.ts";
import { CallerCheck, ChangeWatch } from "./feeds.ts";
import { sessionAddressFor } from "./followed-resources.ts";
import type { ListenParts } from "./listen-upstream.ts";
import { subscribes } from "./own-results.ts";
import { SessionFeed } from "./session-feed.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { View } from "./view.ts";

export interface CallerStreamsOptions extends ListenParts {
  readonly pool: FairPool;
  /** The streams by session; they outlive a configuration. */
  readonly open: OpenStreams;
  readonly all: readonly UpstreamLists[];
  readonly feeds: Feeds;
  createView(call: Call): View;
  findOwner(uri: string, view: View): UpstreamLists | undefined;
  /** Stands for the lists as they are now: another value after each change. */
  listsVersion(): object;
}

interface ServedSession {
  readonly feed: SessionFeed;
  readonly kept: KeptSubscriptions;
  /** The requests that opened its streams, the newest last. The last one stays while its place is kept. */
  readonly calls: Set<Call>;
  /** Whose share is kept for the next stream of the session; undefined while a stream is open. */
  place: Holder | undefined;
}

interface TakenStream {
  /** That of its session. */
  readonly nonce: string;
  /** Whose share it counts against. */
  readonly place: Holder;
  readonly write: CallerStream["send"];
}

/** A client opens its stream beside its first requests, so a subscription waits so long for it. */
const MAX_STREAM_WAIT_MS = 2_000;

export class CallerStreams {
  readonly #options: CallerStreamsOptions;
  readonly #sessions = new Map<string, ServedSession>();
  readonly #watch: ChangeWatch;
  readonly #closing = new AbortController();

  constructor(options: CallerStreamsOptions) {
    this.#options = options;
    this.#watch = new ChangeWatch(options);
  }

  async serve(call: Call, recheck: readonly Step[]): Promise<Fault | undefined> {
    const { caller, session, origin } = call;
    if (caller === undefined || session === undefined) return protocol.http_method.fault();
    const { pool } = this.#options;
    const { nonce } = session;
    const place = this.#takePlace(nonce, caller);
    if (place === undefined) return shareFault("streams", pool.fairShare(caller));
    const write = origin.openStream?.();
    if (write === undefined) {
      pool.give(place, 1);
      return protocol.http_method.fault();
    }
    await this.#hold(call, { nonce, place, write }, recheck);
    return undefined;
  }

  async #hold(call: Call, { nonce, place, write }: TakenStream, recheck: readonly Step[]): Promise<void> {
    const { pool, open, observer } = this.#options;
    const check = new CallerCheck(call, recheck, observer);
    const stream: CallerStream = { send: write, end: () => check.end() };
    try {
      this.#enter(call, nonce, stream);
      const ending = AbortSignal.any([call.origin.signal, this.#closing.signal, check.ended]);
      await race(new Promise<never>(() => {}), { signal: ending });
    } finally {
      check.stop();
      open.close(nonce, stream);
      if (!this.#keepPlace(nonce, call, place)) pool.give(place, 1);
    }
  }

  async subscribe(call: Call, uri: string, lists: UpstreamLists): Promise<string | Fault> {
    if (!subscribes(lists)) {
      const { origin } = this.#options.identity;
      return protocol.capability_not_supported.fault({ capability: "resources.subscribe" }, { origin });
    }
    const served = await this.#find(call);
    if (served === undefined) return this.#streamless(uri);
    return (await served.feed.subscribe(uri, lists)) ?? "{}";
  }

  /** Follows a resource no longer. */
  async unsubscribe(call: Call, uri: string): Promise<string | Fault> {
    const served = await this.#find(call);
    if (served === undefined) return this.#streamless(uri);
    served.feed.unsubscribe(uri);
    return "{}";
  }

  /** Ends all streams in good order: clients open new ones, and what they follow is kept meanwhile. */
  close(): void {
    this.#closing.abort();
    for (const [nonce, served] of [...this.#sessions]) if (served.place !== undefined) this.#end(nonce, served);
    this.#watch.close();
  }

  /**
   * The share of a stream: the one that was kept for its session, or a new one. Undefined if the caller has as many as
   * it may have.
   */
  #takePlace(nonce: string, caller: Holder): Holder | undefined {
    const served = this.#sessions.get(nonce);
    const kept = served?.place;
    if (served !== undefined) served.place = undefined;
    return kept ?? (this.#options.pool.take(caller, 1) ? caller : undefined);
  }

  #enter(call: Call, nonce: string, stream: CallerStream): void {
    const { open, feeds, listsVersion, findOwner, identity, now, observer, createView } = this.#options;
    const kept = open.open(nonce, stream);
    const before = this.#sessions.get(nonce);
    if (before !== undefined) {
      // Its last stream has ended, and its place was kept.
      if (kept.end !== undefined) before.calls.clear();
      kept.end = undefined;
      before.calls.add(call);
      before.feed.repeat();
      return;
    }
    const calls = new Set([call]);
    // What the caller may see, and its token, are those of its newest request.
    const newest = () => [...calls].at(-1) ?? call;
    const feed = new SessionFeed({
      kept,
      write: (message) => open.send(nonce, message),
      addressAt: (lists) => sessionAddressFor(newest(), lists),
      view: () => createView(newest()),
      findOwner,
      identity,
      now,
      observer,
    });
    this.#sessions.set(nonce, { feed, kept, calls, place: undefined });
    feeds.add(feed);
    this.#watch.start();
    feed.resume({ haveListsChanged: kept.seen !== undefined && kept.seen !== listsVersion() });
    kept.seen = undefined;
  }

  /**
   * A stream has ended. If it was the last one of a session that follows something, its place is kept: a client whose
   * connection broke comes back, and has missed nothing. It is free again when the session is forgotten.
   */
  #keepPlace(nonce: string, call: Call, place: Holder): boolean {
    const served = this.#sessions.get(nonce);
    if (served === undefined) return false;
    const { calls, kept } = served;
    if (calls.size > 1) {
      calls.delete(call);
      // What was written to the one that ended may be lost.
      served.feed.repeat();
      return false;
    }
    if (kept.uris.size === 0 || this.#closing.signal.aborted) {
      this.#end(nonce, served);
      return false;
    }
    served.place = place;
    kept.end = () => this.#end(nonce, served);
    return true;
  }

  #end(nonce: string, served: ServedSession): void {
    const { feeds, listsVersion, pool } = this.#options;
    this.#sessions.delete(nonce);
    served.kept.end = undefined;
    served.kept.seen = listsVersion();
    feeds.delete(served.feed);
    served.feed.close();
    if (served.place !== undefined) pool.give(served.place, 1);
    if (this.#sessions.size === 0) this.#watch.stop();
  }

  async #find({ session, origin }: Call): Promise<ServedSession | undefined> {
    if (session === undefined) return undefined;
    const { nonce } = session;
    const isOpen = await this.#options.open.whenOpen(nonce, { ms: MAX_STREAM_WAIT_MS, signal: origin.signal });
    return isOpen ? this.#sessions.get(nonce) : undefined;
  }

  #streamless(uri: string): Fault {
    const reason = "open the stream of the session first, at the same replica";
    return resource.subscription_failed.fault(
      { uri, reason },
      { effect: "none", origin: this.#options.identity.origin },
    );
  }
}

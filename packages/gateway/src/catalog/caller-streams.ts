import type { Fault } from "@recourse/core";
import { protocol, resource } from "@recourse/core/reasons";
import { race } from "@recourse/core/wire";
import type { Call, Step } from "../call/call.ts";
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
  /** The requests that opened its streams, the newest last. */
  readonly calls: Set<Call>;
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
    if (!pool.take(caller, 1)) return shareFault("streams", pool.fairShare(caller));
    try {
      const send = origin.openStream?.();
      if (send === undefined) return protocol.http_method.fault();
      await this.#hold(call, session.nonce, send, recheck);
      return undefined;
    } finally {
      pool.give(caller, 1);
    }
  }

  async #hold(call: Call, nonce: string, send: CallerStream["send"], recheck: readonly Step[]): Promise<void> {
    const { open, observer } = this.#options;
    const check = new CallerCheck(call, recheck, observer);
    const stream: CallerStream = { send, end: () => check.end() };
    try {
      this.#enter(call, nonce, stream);
      const ending = AbortSignal.any([call.origin.signal, this.#closing.signal, check.ended]);
      await race(new Promise<never>(() => {}), { signal: ending });
    } finally {
      check.stop();
      open.close(nonce, stream);
      this.#leave(call, nonce);
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
    this.#watch.close();
  }

  #enter(call: Call, nonce: string, stream: CallerStream): void {
    const { open, feeds, listsVersion, findOwner, identity, now, observer, createView } = this.#options;
    const kept = open.open(nonce, stream);
    const before = this.#sessions.get(nonce);
    if (before !== undefined) {
      before.calls.add(call);
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
    this.#sessions.set(nonce, { feed, kept, calls });
    feeds.add(feed);
    this.#watch.start();
    feed.resume({ haveListsChanged: kept.seen !== undefined && kept.seen !== listsVersion() });
    kept.seen = undefined;
  }

  /** If it was the last stream of the session, what it follows is kept for the next one. */
  #leave(call: Call, nonce: string): void {
    const { feeds, listsVersion } = this.#options;
    const served = this.#sessions.get(nonce);
    if (served?.calls.delete(call) !== true || served.calls.size > 0) return;
    this.#sessions.delete(nonce);
    served.kept.seen = listsVersion();
    feeds.delete(served.feed);
    served.feed.close();
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

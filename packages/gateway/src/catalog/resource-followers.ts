import type { Fault } from "@recourse/core";
import { resource } from "@recourse/core/reasons";
import { arrayAt, hasListen, objectAt, parseJson, race, sleep, stringAt } from "@recourse/core/wire";
import { inBackground } from "../call/observer.ts";
import type { SessionAddress } from "../call/upstream.ts";
import { type ListenParts, type ListenStart, listenToUpstream, MAX_ACKNOWLEDGE_MS } from "./listen-upstream.ts";
import { RESOURCE_UPDATED } from "./notifications.ts";
import { renewAt, type SubscriptionPlace, subscribeAt, unsubscribeAt } from "./shared-subscriptions.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

export interface ResourceFollower {
  /** Follows one resource more; a fault if the upstream refuses. */
  add(uri: string): Promise<Fault | undefined>;
  remove(uri: string): void;
  /** Follows nothing any more. */
  close(): void;
}

export interface FollowerOptions extends ListenParts {
  readonly lists: UpstreamLists;
  readonly addressAt: () => SessionAddress;
  /** The upstream says that a resource has changed. It may be one that the session does not follow. */
  readonly onUpdated: (uri: string) => void;
}

export function createFollower(options: FollowerOptions): ResourceFollower {
  return hasListen(options.lists.era) ? new ListenFollower(options) : new SessionFollower(options);
}

/** The newer era: one `subscriptions/listen` for all resources, begun again before the last one ends when there are others. */
class ListenFollower implements ResourceFollower {
  readonly #options: FollowerOptions;
  readonly #uris = new Set<string>();
  readonly #refused = new Set<string>();
  #open: AbortController | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  async add(uri: string): Promise<Fault | undefined> {
    // The upstream may have dropped it before, when no caller waited for its answer.
    this.#refused.delete(uri);
    this.#uris.add(uri);
    await this.#begin();
    return this.#refused.delete(uri) ? refusedByUpstream(uri) : undefined;
  }

  remove(uri: string): void {
    if (this.#uris.delete(uri)) inBackground("listen", this.#options.observer, this.#begin());
  }

  close(): void {
    this.#uris.clear();
    this.#open?.abort();
  }

  /** Changes that come while a stream begins are made together after it. */
  #begin(): Promise<void> {
    this.#next ??= (async () => {
      await this.#running;
      this.#next = undefined;
      this.#running = this.#replace();
      await this.#running;
    })();
    return this.#next;
  }

  async #replace(): Promise<void> {
    const before = this.#open;
    const uris = [...this.#uris];
    if (uris.length === 0) {
      before?.abort();
      return;
    }
    const { lists, addressAt, onUpdated } = this.#options;
    const opened = new AbortController();
    const { signal } = opened;
    this.#open = opened;
    const part = { resourceSubscriptions: uris };
    const onMessage = ({ method, uri }: { readonly method: string; readonly uri: string | undefined }) => {
      if (method === RESOURCE_UPDATED && uri !== undefined) onUpdated(uri);
    };
    // What has changed while the upstream was away is not known, so all of it may have.
    const onReopened = () => uris.forEach(onUpdated);
    const stream = { lists, part, address: addressAt(), signal, onMessage, onReopened };
    const begun = listenToUpstream(stream, this.#options);
    const start = await race(begun, { ms: MAX_ACKNOWLEDGE_MS, sleep, signal });
    const followed = typeof start === "symbol" ? uris : followedUris(start, uris);
    for (const uri of uris) {
      if (followed.includes(uri) || !this.#uris.delete(uri)) continue;
      this.#refused.add(uri);
    }
    if (followed.length > 0 || before === undefined) before?.abort();
    else {
      // What the upstream agreed to before continues.
      opened.abort();
      this.#open = before;
    }
  }
}

/** The resources that an upstream agreed to announce. Until it has answered, its agreement is assumed. */
function followedUris(start: ListenStart, asked: readonly string[]): readonly string[] {
  switch (start.kind) {
    case "open": {
      const agreed = arrayAt(start.agreed, "resourceSubscriptions") ?? [];
      return asked.filter((uri) => agreed.includes(uri));
    }
    case "refused":
      return [];
    case "ended":
      return asked;
    default:
      return start satisfies never;
  }
}

/** Subscriptions are made again after this time: an upstream that was restarted has forgotten them. */
const RENEW_MS = 300_000;

/** The older era: `resources/subscribe` in the caller's own session, which is then listened to. */
class SessionFollower implements ResourceFollower {
  readonly #options: FollowerOptions;
  readonly #uris = new Set<string>();
  #following: AbortController | undefined;
  #renewing: NodeJS.Timeout | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  async add(uri: string): Promise<Fault | undefined> {
    this.#uris.add(uri);
    this.#follow();
    const outcome = await subscribeAt(this.#place, uri);
    if (outcome === "subscribed") return undefined;
    this.#uris.delete(uri);
    this.#rest();
    return outcome === "refused" ? refusedByUpstream(uri) : outcome;
  }

  remove(uri: string): void {
    if (!this.#uris.delete(uri)) return;
    inBackground("unsubscribe", this.#options.observer, unsubscribeAt(this.#place, uri));
    this.#rest();
  }

  close(): void {
    const uris = [...this.#uris];
    this.#uris.clear();
    this.#rest();
    // One after the other: they may be many, and nobody waits for it.
    const leave = async () => {
      for (const uri of uris) await unsubscribeAt(this.#place, uri);
    };
    inBackground("unsubscribe", this.#options.observer, leave());
  }

  get #place(): SubscriptionPlace {
    const { lists, addressAt } = this.#options;
    return { upstream: lists.upstream, address: addressAt(), holder: this };
  }

  /** Listens from the first resource on, before the upstream is asked for it. */
  #follow(): void {
    if (this.#following !== undefined) return;
    this.#listen();
    const renew = () => inBackground("subscribe", this.#options.observer, this.#renew());
    this.#renewing = setInterval(renew, RENEW_MS).unref();
  }

  #listen(): void {
    const before = this.#following;
    const { lists, addressAt } = this.#options;
    this.#following = new AbortController();
    lists.upstream.follow?.(addressAt(), (bytes) => this.#hear(bytes), this.#following.signal);
    before?.abort();
  }

  #rest(): void {
    if (this.#uris.size > 0) return;
    this.#following?.abort();
    this.#following = undefined;
    clearInterval(this.#renewing);
  }

  async #renew(): Promise<void> {
    this.#listen();
    for (const uri of [...this.#uris]) {
      if (this.#uris.has(uri)) await renewAt(this.#place, uri);
    }
  }

  #hear(bytes: Buffer): void {
    const message = parseJson(bytes.toString("utf8"));
    const uri = stringAt(objectAt(message, "params"), "uri");
    if (stringAt(message, "method") === RESOURCE_UPDATED && uri !== undefined) this.#options.onUpdated(uri);
  }
}

function refusedByUpstream(uri: string): Fault {
  return resource.subscription_failed.fault(
    { uri, reason: "the server of the resource refused it" },
    { effect: "none" },
  );
}

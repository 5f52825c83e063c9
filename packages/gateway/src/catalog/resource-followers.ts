import type { Fault } from "@recourse/core";
import { resource } from "@recourse/core/reasons";
import { arrayAt, hasListen, objectAt, parseJson, race, sleep, stringAt } from "@recourse/core/wire";
import { toFlags } from "../call/abilities.ts";
import { inBackground } from "../call/observer.ts";
import { refusedRequest } from "../call/server-request.ts";
import type { SessionAddress, Upstream } from "../call/upstream.ts";
import { type ListenParts, type ListenStart, listenToUpstream, MAX_ACKNOWLEDGE_MS } from "./listen-upstream.ts";
import { RESOURCE_UPDATED } from "./notifications.ts";
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
    const fault = await subscribeAt(this.#subscriber, uri);
    if (fault === undefined) return undefined;
    this.#uris.delete(uri);
    this.#rest();
    return fault;
  }

  remove(uri: string): void {
    if (!this.#uris.delete(uri)) return;
    this.#rest();
    inBackground("unsubscribe", this.#options.observer, this.#unsubscribe([uri]));
  }

  close(): void {
    const uris = [...this.#uris];
    this.#uris.clear();
    this.#rest();
    inBackground("unsubscribe", this.#options.observer, this.#unsubscribe(uris));
  }

  /** One after the other: they may be many, and nobody waits for it. */
  async #unsubscribe(uris: readonly string[]): Promise<void> {
    for (const uri of uris) await unsubscribeAt(this.#subscriber, uri);
  }

  get #subscriber(): SubscriptionFollower {
    const { lists, addressAt } = this.#options;
    return { upstream: lists.upstream, address: addressAt(), id: this };
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
    const { lists, addressAt } = this.#options;
    this.#listen();
    for (const uri of [...this.#uris]) {
      if (this.#uris.has(uri))
        await sendSubscription(lists.upstream, addressAt(), { method: "resources/subscribe", uri });
    }
  }

  #hear(bytes: Buffer): void {
    const message = parseJson(bytes.toString("utf8"));
    const uri = stringAt(objectAt(message, "params"), "uri");
    if (stringAt(message, "method") === RESOURCE_UPDATED && uri !== undefined) this.#options.onUpdated(uri);
  }
}

const SUBSCRIBE_MS = 10_000;
const NEVER = new AbortController().signal;

interface SubscriptionFollower {
  readonly upstream: Upstream;
  readonly address: SessionAddress;
  readonly id: object;
}

/** A resource that is followed in one session, or at one process, of an upstream. */
interface SharedSubscription {
  readonly followers: Set<object>;
  /** Messages about one resource go out one after the other. */
  last: Promise<unknown>;
}

/** Upstreams outlive configurations, and so do these. */
const byUpstream = new WeakMap<Upstream, Map<string, SharedSubscription>>();

/** Sessions of an upstream are shared by the streams of one caller, and its processes by callers. */
function sharedAt(upstream: Upstream, { session, caller, abilities }: SessionAddress, uri: string) {
  const { options } = upstream;
  const ofCaller = `${caller.id}\n${abilities === undefined ? "" : toFlags(abilities)}`;
  const place = !("per" in options) ? session : options.per === "replica" ? "" : ofCaller;
  const key = `${place}\n${uri}`;
  const all = byUpstream.get(upstream) ?? new Map<string, SharedSubscription>();
  byUpstream.set(upstream, all);
  const shared = all.get(key) ?? { followers: new Set<object>(), last: Promise.resolve() };
  all.set(key, shared);
  return { shared, forget: () => shared.followers.size === 0 && all.get(key) === shared && all.delete(key) };
}

async function subscribeAt(follower: SubscriptionFollower, uri: string): Promise<Fault | undefined> {
  const { upstream, address } = follower;
  const { shared, forget } = sharedAt(upstream, address, uri);
  shared.followers.add(follower.id);
  const sent = shared.last.then(() => sendSubscription(upstream, address, { method: "resources/subscribe", uri }));
  shared.last = sent;
  const fault = await sent;
  if (fault !== undefined) shared.followers.delete(follower.id);
  forget();
  return fault;
}

/** The upstream is asked to stop when the last one that follows the resource has left. */
async function unsubscribeAt(follower: SubscriptionFollower, uri: string): Promise<void> {
  const { upstream, address } = follower;
  const { shared, forget } = sharedAt(upstream, address, uri);
  if (!shared.followers.delete(follower.id)) return;
  shared.last = shared.last.then(async () => {
    if (shared.followers.size > 0) return;
    forget();
    await sendSubscription(upstream, address, { method: "resources/unsubscribe", uri });
  });
  await shared.last;
}

/** A fault if the upstream could not be asked, or refuses. */
async function sendSubscription(
  upstream: Upstream,
  address: SessionAddress,
  { method, uri }: { readonly method: "resources/subscribe" | "resources/unsubscribe"; readonly uri: string },
): Promise<Fault | undefined> {
  const parsed = { uri };
  const reply = await upstream.send({
    method,
    target: uri,
    id: `"recourse/${method}"`,
    params: Buffer.from(JSON.stringify(parsed)),
    parsed,
    ...address,
    timeoutMs: Math.min(SUBSCRIBE_MS, upstream.options.timeoutMs),
    signal: NEVER,
    onNotification() {},
    // The upstream is asked once its own stream is open, so that nothing is missed from the answer on.
    onRequest: () => Promise.resolve(refusedRequest("No call is under way.")),
  });
  if (reply.kind === "failed") return reply.fault;
  const isDone = objectAt(parseJson(reply.body.toString("utf8")), "result") !== undefined;
  return isDone ? undefined : refusedByUpstream(uri);
}

function refusedByUpstream(uri: string): Fault {
  return resource.subscription_failed.fault(
    { uri, reason: "the server of the resource refused it" },
    { effect: "none" },
  );
}

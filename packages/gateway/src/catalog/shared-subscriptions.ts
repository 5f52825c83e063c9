import type { Fault } from "@recourse/core";
import { objectAt, parseJson } from "@recourse/core/wire";
import { toFlags } from "../call/abilities.ts";
import { refusedRequest } from "../call/server-request.ts";
import type { SessionAddress, Upstream } from "../call/upstream.ts";

// Processes of upstreams are shared by sessions, so what one session subscribes to is counted: the process is asked
// once, and asked to stop when the last session has left.

interface CountedSubscription {
  readonly holders: Set<object>;
  isMade: boolean;
  /** What was sent last. Messages about one resource go out one after the other. */
  last: Promise<unknown>;
}

/** Where a subscription is made, and for whom. */
export interface SubscriptionPlace {
  readonly upstream: Upstream;
  readonly address: SessionAddress;
  /** The follower of the resource: one value for each session. */
  readonly holder: object;
}

export type SubscribeOutcome = "subscribed" | "refused" | Fault;

const SUBSCRIBE_MS = 10_000;
const NEVER = new AbortController().signal;

/** Upstreams outlive configurations, and so do these. */
const byUpstream = new WeakMap<Upstream, Map<string, CountedSubscription>>();

/** Subscribes to a resource at an upstream of the older era, unless its process is subscribed already. */
export async function subscribeAt(at: SubscriptionPlace, uri: string): Promise<SubscribeOutcome> {
  const [counted, key] = subscriptionAt(at, uri);
  const entry = counted.get(key) ?? { holders: new Set(), isMade: false, last: Promise.resolve() };
  counted.set(key, entry);
  entry.holders.add(at.holder);
  const asked = entry.last.then(() => (entry.isMade ? "subscribed" : makeSubscription(entry, at, uri)));
  entry.last = asked;
  const outcome = await asked;
  if (outcome !== "subscribed") {
    entry.holders.delete(at.holder);
    if (entry.holders.size === 0 && entry.last === asked) counted.delete(key);
  }
  return outcome;
}

/** Subscribes to a resource again that is subscribed to already, since the upstream may have forgotten it. */
export async function renewAt(at: SubscriptionPlace, uri: string): Promise<void> {
  const [counted, key] = subscriptionAt(at, uri);
  const entry = counted.get(key);
  if (entry === undefined) return;
  const asked = entry.last.then(() => (entry.holders.size === 0 ? undefined : makeSubscription(entry, at, uri)));
  entry.last = asked;
  await asked;
}

/** One session less follows the resource. The upstream is notified if it was the last one. */
export async function unsubscribeAt(at: SubscriptionPlace, uri: string): Promise<void> {
  const [counted, key] = subscriptionAt(at, uri);
  const entry = counted.get(key);
  if (entry?.holders.delete(at.holder) !== true) return;
  const asked = entry.last.then(async () => {
    // Another session may have come meanwhile, or the upstream has never agreed.
    if (entry.holders.size > 0 || !entry.isMade) return;
    entry.isMade = false;
    await tellUpstream(at, "resources/unsubscribe", uri);
  });
  entry.last = asked;
  await asked;
  if (entry.holders.size === 0 && entry.last === asked) counted.delete(key);
}

async function makeSubscription(
  entry: CountedSubscription,
  at: SubscriptionPlace,
  uri: string,
): Promise<SubscribeOutcome> {
  const outcome = await tellUpstream(at, "resources/subscribe", uri);
  entry.isMade = outcome === "subscribed";
  return outcome;
}

function subscriptionAt(at: SubscriptionPlace, uri: string): [Map<string, CountedSubscription>, string] {
  let counted = byUpstream.get(at.upstream);
  if (counted === undefined) {
    counted = new Map();
    byUpstream.set(at.upstream, counted);
  }
  return [counted, `${subscriptionScope(at)}\n${uri}`];
}

/** Whether all callers share one process of the upstream. */
export function isSharedProcess({ options }: Upstream): boolean {
  return "per" in options && options.per === "replica";
}

/** Names the session or process that a subscription is made at: sessions of callers are their own, processes are shared. */
function subscriptionScope({ upstream, address }: SubscriptionPlace): string {
  const { session, caller, abilities } = address;
  if (!("per" in upstream.options)) return session;
  return isSharedProcess(upstream) ? "" : `${caller.id}\n${abilities === undefined ? "" : toFlags(abilities)}`;
}

async function tellUpstream(
  { upstream, address }: SubscriptionPlace,
  method: "resources/subscribe" | "resources/unsubscribe",
  uri: string,
): Promise<SubscribeOutcome> {
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
  return objectAt(parseJson(reply.body.toString("utf8")), "result") === undefined ? "refused" : "subscribed";
}

import type { Fault } from "@recourse/core";
import { content } from "@recourse/core/reasons";
import { hasListen, race, SUBSCRIPTION_ID_KEY, sleep } from "@recourse/core/wire";
import type { Call, Step } from "../call/call.ts";
import type { FairPool } from "../limits/fair-pool.ts";
import { shareFault } from "../limits/shares.ts";
import { announcement, CallerCheck, type Feed, type Feeds } from "./feeds.ts";
import { FollowedResources, sessionAddressFor } from "./followed-resources.ts";
import {
  changesPart,
  type ListenMessage,
  type ListenParts,
  listenToUpstream,
  MAX_ACKNOWLEDGE_MS,
} from "./listen-upstream.ts";
import type { Refusals } from "./methods.ts";
import { type ListChange, type ListenFilter, listChangeFor, NoticeQueue, readFilter } from "./notifications.ts";
import { resultMeta, subscribes } from "./own-results.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { View } from "./view.ts";

/** The message that opens a stream is kept as long as the stream, so it must not be larger than this. */
const MAX_MESSAGE_BYTES = 131_072;
/** The stream of a caller waits so long for upstreams of the older era, which are asked for each resource. */
const MAX_SUBSCRIBE_MS = 10_000;

export interface ListeningOptions extends ListenParts {
  readonly streams: FairPool;
  readonly all: readonly UpstreamLists[];
  readonly refusals: Refusals;
  readonly feeds: Feeds;
  createView(call: Call): View;
  findOwner(uri: string, view: View): UpstreamLists | undefined;
}

/** `subscriptions/listen`: one stream for the caller, fed by the upstreams it concerns and by lists that were seen to change. */
export class Listening {
  readonly #options: ListeningOptions;
  readonly #closing = new AbortController();

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  /** Serves one caller until it leaves, may not listen any more by these steps, or the gateway stops. */
  async answer(call: Call, recheck: readonly Step[] = []): Promise<string | Fault> {
    const { refusals, streams, identity } = this.#options;
    const actualSize = call.message?.bytes.length ?? 0;
    if (actualSize > MAX_MESSAGE_BYTES) {
      return content.message_too_large.fault({ maxSize: MAX_MESSAGE_BYTES, actualSize }, { origin: identity.origin });
    }
    const asked = readFilter(call.message?.params);
    if (asked === undefined) return refusals.params();
    const { caller } = call;
    if (caller === undefined || !streams.take(caller, 1)) {
      return shareFault("streams", caller === undefined ? 0 : streams.fairShare(caller));
    }
    const check = new CallerCheck(call, recheck, this.#options.observer);
    try {
      return await this.#serve(call, asked, check.ended);
    } finally {
      check.stop();
      streams.give(caller, 1);
    }
  }

  /** How many messages a request makes the gateway send: one for each resource at an upstream of the older era. */
  countSubscriptions(call: Call): number {
    const asked = readFilter(call.message?.params)?.uris ?? [];
    if (asked.length === 0) return 0;
    let count = 0;
    for (const [lists, uris] of this.#place(asked, call)) if (!hasListen(lists.era)) count += uris.length;
    return count;
  }

  async #serve(call: Call, asked: ListenFilter, ended: AbortSignal): Promise<string> {
    const { createView, findOwner, feeds, all, identity, now, observer } = this.#options;
    const view = createView(call);
    const stream = this.#open(call, asked.changes);
    const resources = new FollowedResources({
      ...{ identity, now, observer, findOwner, view: stream.view, notices: stream.notices },
      addressAt: (lists) => sessionAddressFor(call, lists),
    });
    const ending = AbortSignal.any([call.origin.signal, this.#closing.signal, ended]);
    const heard = all.flatMap((lists) => {
      const part = changesPart(lists, asked.changes);
      if (part === undefined || !view.reaches(lists)) return [];
      const onMessage = ({ method }: ListenMessage) => passOn(lists, stream, method);
      return [listenToUpstream({ lists, part, signal: ending, onMessage }, this.#options)];
    });
    try {
      await Promise.all([
        race(Promise.all(heard), { ms: MAX_ACKNOWLEDGE_MS, sleep, signal: ending }),
        ...[...this.#place(asked.uris, call)].map(([lists, uris]) => followAll(resources, lists, uris, ending)),
      ]);
      const uris = asked.uris.filter((uri) => resources.find(uri) !== undefined);
      stream.acknowledge(uris);
      const isEmpty = asked.changes.size === 0 && uris.length === 0;
      if (!isEmpty) await race(new Promise<never>(() => {}), { signal: ending });
    } finally {
      resources.close();
      feeds.delete(stream);
    }
    const meta = { [SUBSCRIPTION_ID_KEY]: call.message?.id, ...resultMeta(identity) };
    return JSON.stringify({ resultType: "complete", _meta: meta });
  }

  /** The resources that can be followed, by their upstreams. */
  #place(uris: readonly string[], call: Call): ReadonlyMap<UpstreamLists, readonly string[]> {
    const placed = new Map<UpstreamLists, string[]>();
    const view = this.#options.createView(call);
    for (const uri of uris) {
      const owner = this.#options.findOwner(uri, view);
      if (owner === undefined || !subscribes(owner)) continue;
      const known = placed.get(owner);
      if (known === undefined) placed.set(owner, [uri]);
      else known.push(uri);
    }
    return placed;
  }

  /** Ends all streams in good order. */
  close(): void {
    this.#closing.abort();
  }

  #open(call: Call, changes: ReadonlySet<ListChange>): ListenFeed {
    const _meta = { [SUBSCRIPTION_ID_KEY]: call.message?.id };
    const write = (method: string, params: Readonly<Record<string, unknown>>) => {
      if (call.origin.signal.aborted) return;
      call.origin.notify(Buffer.from(JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, _meta } })));
    };
    const stream = {
      changes,
      view: () => this.#options.createView(call),
      announced: new Set<string>(),
      notices: new NoticeQueue(({ method, uri }) => {
        write(method, uri === undefined ? {} : { uri });
        return true;
      }),
      /** The acknowledgement is the first message of a stream. */
      acknowledge(uris: readonly string[]) {
        const lists = Object.fromEntries([...changes].map((change) => [change, true]));
        const resources = uris.length > 0 ? { resourceSubscriptions: uris } : {};
        write("notifications/subscriptions/acknowledged", { notifications: { ...lists, ...resources } });
        stream.notices.open();
      },
    };
    this.#options.feeds.add(stream);
    return stream;
  }
}

interface ListenFeed extends Feed {
  /** Begins it, with what is really followed. */
  acknowledge(uris: readonly string[]): void;
}

/** Passes on that a list of an upstream has changed, if the caller asked for it. */
function passOn(lists: UpstreamLists, feed: Feed, method: string): void {
  const change = listChangeFor(method);
  if (change === undefined) return;
  lists.invalidate();
  if (!feed.changes.has(change)) return;
  feed.announced.add(announcement(lists, change));
  feed.notices.send({ method });
}

/** An upstream of the older era is asked for so many resources of one stream at a time. */
const MAX_SUBSCRIBING = 8;

/** Follows resources of one upstream, as many as it agrees to in time. */
async function followAll(
  resources: FollowedResources,
  lists: UpstreamLists,
  uris: readonly string[],
  ending: AbortSignal,
): Promise<void> {
  // An upstream of the newer era is asked once for all of them.
  const together = hasListen(lists.era) ? uris.length : MAX_SUBSCRIBING;
  const asked = new Set<string>();
  let isOver = false;
  const rest = uris.values();
  const take = async () => {
    for (const uri of rest) {
      asked.add(uri);
      await resources.follow(uri, lists);
      if (isOver) return;
      asked.delete(uri);
    }
  };
  const following = Promise.all(Array.from({ length: together }, take));
  await race(following, { ms: MAX_SUBSCRIBE_MS, sleep, signal: ending });
  isOver = true;
  // Nobody knows whether the upstream will agree to these.
  for (const uri of asked) resources.leave(uri);
}

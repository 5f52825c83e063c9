import { knownKind } from "@recourse/core";
import { hasListen, parseJson, sleep, stringAt } from "@recourse/core/wire";
import type { Call, Step } from "../call/call.ts";
import { inBackground, type UnexpectedObserver } from "../call/observer.ts";
import { changesPart, type ListenParts, listenToUpstream, ownAddress } from "./listen-upstream.ts";
import { CHANGES, changesIn, type ListChange, listChangeFor, type NoticeQueue } from "./notifications.ts";
import type { ListMethod } from "./read-list.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { View } from "./view.ts";

export interface Feed {
  readonly changes: ReadonlySet<ListChange>;
  view(): View;
  /** Changes that the caller was notified of since the lists of that upstream were read. */
  readonly announced: Set<string>;
  readonly notices: NoticeQueue;
}

/** The callers that are notified about changes now: by `subscriptions/listen`, or on a stream of their session. */
export class Feeds {
  readonly #all = new Set<Feed>();

  add(feed: Feed): void {
    this.#all.add(feed);
  }

  delete(feed: Feed): void {
    this.#all.delete(feed);
    feed.notices.close();
  }

  /** Tells the callers of one session of an upstream that a list has changed which they read for themselves. */
  publishedIn(session: string, change: ListChange): void {
    for (const feed of this.#all) {
      if (feed.changes.has(change) && feed.view().isIn(session)) feed.notices.send({ method: CHANGES[change].method });
    }
  }

  /** Notifies callers about lists that were found to have changed, if the upstream did not say so itself. */
  published(lists: UpstreamLists, changed: readonly ListMethod[]): void {
    const changes = changesIn(changed);
    for (const feed of this.#all) {
      for (const change of Object.keys(CHANGES) as ListChange[]) {
        const isAnnounced = feed.announced.delete(announcement(lists, change));
        if (!changes.has(change) || isAnnounced || !feed.changes.has(change)) continue;
        if (feed.view().reaches(lists)) feed.notices.send({ method: CHANGES[change].method });
      }
    }
  }
}

export function announcement({ upstream }: UpstreamLists, change: ListChange): string {
  return `${change} ${upstream.options.name}`;
}

interface ChangeWatchOptions extends ListenParts {
  readonly all: readonly UpstreamLists[];
}

/** How long upstreams are listened to after the last caller has left. */
const WATCH_LINGER_MS = 60_000;
/** How long after a failure an upstream is tried again that is not known yet. */
const WATCH_PAUSE_MS = 5_000;

/**
 * Listens for changed lists of each upstream, on one stream for all callers, while a caller wants to learn about
 * changes. The lists are then read again, and each caller is notified about what has really changed for it.
 */
export class ChangeWatch {
  readonly #options: ChangeWatchOptions;
  #running: AbortController | undefined;
  #lingering: NodeJS.Timeout | undefined;

  constructor(options: ChangeWatchOptions) {
    this.#options = options;
  }

  start(): void {
    clearTimeout(this.#lingering);
    if (this.#running !== undefined) return;
    const running = new AbortController();
    this.#running = running;
    for (const lists of this.#options.all) {
      inBackground("watch of lists", this.#options.observer, this.#watch(lists, running.signal));
    }
  }

  /** No caller wants to any more. The stream stays open for a while, since clients come back. */
  stop(): void {
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(() => this.close(), WATCH_LINGER_MS).unref();
  }

  close(): void {
    clearTimeout(this.#lingering);
    this.#running?.abort();
    this.#running = undefined;
  }

  async #watch(lists: UpstreamLists, signal: AbortSignal): Promise<void> {
    const { upstream } = lists;
    while (!signal.aborted && typeof (await upstream.ready(signal)) !== "string") {
      await sleep(WATCH_PAUSE_MS, signal).catch(() => undefined);
    }
    // The era is known from the lists, which are read at the same time.
    while (!signal.aborted && lists.era === undefined) await sleep(WATCH_PAUSE_MS / 10, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (!hasListen(lists.era)) {
      if (upstream.follow === undefined) return;
      upstream.follow(
        ownAddress(lists),
        (message) => heard(lists, stringAt(parseJson(message.toString("utf8")), "method")),
        signal,
      );
      // The session is listened to from its next message on.
      await lists.refreshOnDemand();
      return;
    }
    const part = changesPart(lists, Object.keys(CHANGES) as ListChange[]);
    if (part === undefined) return;
    const onMessage = ({ method }: { readonly method: string }) => heard(lists, method);
    await listenToUpstream({ lists, part, signal, onMessage }, this.#options);
  }
}

/** The lists are read again when an upstream says that they have changed. */
function heard(lists: UpstreamLists, method: string | undefined): void {
  if (method !== undefined && listChangeFor(method) !== undefined) lists.invalidate();
}

/** How often it is checked that the caller of a stream may still have it. */
const RECHECK_MS = 60_000;

/** Checks from time to time that the caller of a stream may still have it. */
export class CallerCheck {
  readonly #timer: NodeJS.Timeout;
  readonly #ended = new AbortController();

  /** @param steps The steps of the call that find out who the caller is. */
  constructor(call: Call, steps: readonly Step[], observer: UnexpectedObserver) {
    const check = async () => {
      if (!(await mayStay(call, steps))) this.end();
    };
    this.#timer = setInterval(() => inBackground("check of a stream", observer, check()), RECHECK_MS).unref();
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  end(): void {
    this.#ended.abort();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Whether the credential and the session of a stream are still good. A store that is down ends nothing. */
async function mayStay(call: Call, steps: readonly Step[]): Promise<boolean> {
  for (const step of steps) {
    const fault = await step(call);
    if (fault !== undefined) return knownKind(fault) === "unavailable";
  }
  return true;
}

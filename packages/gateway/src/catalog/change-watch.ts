import { hasListen, parseJson, sleep, stringAt } from "@recourse/core/wire";
import { inBackground } from "../call/observer.ts";
import { changesPart, type ListenParts, listenToUpstream, ownAddress } from "./listen-upstream.ts";
import { CHANGES, type ListChange, listChangeFor } from "./notifications.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

export interface ChangeWatchOptions extends ListenParts {
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

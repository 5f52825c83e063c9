import { CHANGES, changesIn, type ListChange, type NoticeQueue } from "./notifications.ts";
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

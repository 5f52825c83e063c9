import type { Fault } from "@recourse/core";
import { resource } from "@recourse/core/reasons";
import { inBackground } from "../call/observer.ts";
import type { KeptSubscriptions } from "../sessions/open-streams.ts";
import type { Feed } from "./feeds.ts";
import { FollowedResources, type FollowedResourcesOptions } from "./followed-resources.ts";
import { CHANGES, type ListChange, NoticeQueue, RESOURCE_UPDATED } from "./notifications.ts";
import { subscribes } from "./own-results.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { View } from "./view.ts";

export interface SessionFeedOptions extends Omit<FollowedResourcesOptions, "notices"> {
  /** What the session follows; it outlives the feed. */
  readonly kept: KeptSubscriptions;
  /** Writes a message to a stream of the session; false if none takes it now. */
  readonly write: (message: Buffer) => boolean;
}

/** What one session of the older era hears of while it has a stream: changes of lists, and of the resources that it follows. */
export class SessionFeed implements Feed {
  readonly changes: ReadonlySet<ListChange> = new Set(Object.keys(CHANGES) as ListChange[]);
  readonly announced = new Set<string>();
  readonly notices: NoticeQueue;
  readonly #options: SessionFeedOptions;
  readonly #followed: FollowedResources;

  constructor(options: SessionFeedOptions) {
    this.#options = options;
    this.notices = new NoticeQueue(({ method, uri }) => {
      const params = uri === undefined ? {} : { params: { uri } };
      return options.write(Buffer.from(JSON.stringify({ jsonrpc: "2.0", method, ...params })));
    });
    this.notices.open();
    this.#followed = new FollowedResources({ ...options, notices: this.notices });
  }

  view(): View {
    return this.#options.view();
  }

  /** Takes up what the session followed before. What may have changed meanwhile is reported as changed. */
  resume({ haveListsChanged }: { readonly haveListsChanged: boolean }): void {
    if (haveListsChanged) for (const change of this.changes) this.notices.send({ method: CHANGES[change].method });
    for (const uri of this.#options.kept.uris) inBackground("subscribe", this.#options.observer, this.#resume(uri));
  }

  async #resume(uri: string): Promise<void> {
    const { findOwner } = this.#options;
    const lists = findOwner(uri, this.view());
    if (lists !== undefined && subscribes(lists)) await this.#followed.follow(uri, lists);
    this.notices.send({ method: RESOURCE_UPDATED, uri });
  }

  async subscribe(uri: string, lists: UpstreamLists): Promise<Fault | undefined> {
    const { uris } = this.#options.kept;
    if (this.#followed.find(uri) === lists) return undefined;
    if (!uris.add(uri)) {
      const reason = "the session follows as many resources as it may";
      return resource.subscription_failed.fault(
        { uri, reason },
        { effect: "none", origin: this.#options.identity.origin },
      );
    }
    const fault = await this.#followed.follow(uri, lists);
    if (fault !== undefined && this.#followed.find(uri) === undefined) uris.delete(uri);
    return fault;
  }

  /** Follows a resource no longer. */
  unsubscribe(uri: string): void {
    this.#options.kept.uris.delete(uri);
    this.#followed.leave(uri);
  }

  /** The last stream has ended. What the session follows is taken up again by its next feed. */
  close(): void {
    this.#followed.close();
  }
}

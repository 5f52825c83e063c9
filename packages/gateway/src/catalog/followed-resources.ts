import type { Fault } from "@recourse/core";
import { readSubjectToken } from "../auth/authenticator.ts";
import type { Call } from "../call/call.ts";
import { upstreamSessionKey } from "../call/session.ts";
import type { SessionAddress } from "../call/upstream.ts";
import type { ListenParts } from "./listen-upstream.ts";
import { MAX_URIS, type NoticeQueue, RESOURCE_UPDATED } from "./notifications.ts";
import { createFollower, type ResourceFollower } from "./resource-followers.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { View } from "./view.ts";

/** Longer URIs of upstreams are not passed on. */
const MAX_TOLD_URI = 8_192;

export interface FollowedResourcesOptions extends ListenParts {
  readonly addressAt: (lists: UpstreamLists) => SessionAddress;
  readonly view: () => View;
  readonly findOwner: (uri: string, view: View) => UpstreamLists | undefined;
  readonly notices: NoticeQueue;
}

export class FollowedResources {
  readonly #options: FollowedResourcesOptions;
  readonly #followers = new Map<UpstreamLists, ResourceFollower>();
  readonly #followed = new Map<string, UpstreamLists>();
  #isClosed = false;

  constructor(options: FollowedResourcesOptions) {
    this.#options = options;
  }

  /** Where a resource is followed; undefined if it is not. */
  find(uri: string): UpstreamLists | undefined {
    return this.#followed.get(uri);
  }

  /** Follows a resource that belongs to an upstream; a fault if the upstream refuses. */
  async follow(uri: string, lists: UpstreamLists): Promise<Fault | undefined> {
    if (this.#isClosed) return undefined;
    // It may have gone over to another upstream.
    this.leave(uri);
    this.#followed.set(uri, lists);
    const fault = await this.#followerAt(lists).add(uri);
    if (fault !== undefined && this.#followed.get(uri) === lists) this.#followed.delete(uri);
    return fault;
  }

  /** Follows a resource no longer. */
  leave(uri: string): void {
    const lists = this.#followed.get(uri);
    if (lists === undefined) return;
    this.#followed.delete(uri);
    this.#followers.get(lists)?.remove(uri);
  }

  /** Follows nothing any more. */
  close(): void {
    this.#isClosed = true;
    for (const follower of this.#followers.values()) follower.close();
    this.#followers.clear();
    this.#followed.clear();
  }

  #followerAt(lists: UpstreamLists): ResourceFollower {
    let follower = this.#followers.get(lists);
    if (follower === undefined) {
      const { addressAt, identity, now, observer } = this.#options;
      const onUpdated = (uri: string) => this.#updated(uri, lists);
      follower = createFollower({
        lists,
        addressAt: () => addressAt(lists),
        onUpdated,
        identity,
        now,
        observer,
      });
      this.#followers.set(lists, follower);
    }
    return follower;
  }

  /**
   * Passes on that a resource has changed, if the caller follows it, or one that it is a part of, and still sees it.
   */
  #updated(uri: string, lists: UpstreamLists): void {
    const { findOwner, view, notices } = this.#options;
    const followed = this.#findFollowed(uri);
    if (followed === undefined || this.#followed.get(followed) !== lists) return;
    if (findOwner(followed, view()) !== lists) return;
    // No more notifications wait than about twice as many as there are subscriptions.
    const isTold = uri.length <= MAX_TOLD_URI && notices.size < MAX_URIS;
    notices.send({ method: RESOURCE_UPDATED, uri: isTold ? uri : followed });
  }

  #findFollowed(uri: string): string | undefined {
    if (this.#followed.has(uri)) return uri;
    if (uri.length > MAX_TOLD_URI) return undefined;
    for (let at = uri.lastIndexOf("/"); at > 0; at = uri.lastIndexOf("/", at - 1)) {
      const whole = [uri.slice(0, at), uri.slice(0, at + 1)].find((part) => this.#followed.has(part));
      if (whole !== undefined) return whole;
    }
    return undefined;
  }
}

/** The session of the caller of a stream at an upstream: that of its calls. */
export function sessionAddressFor(call: Call, { upstream }: UpstreamLists): SessionAddress {
  const { caller, session, abilities } = call;
  if (caller === undefined) throw new Error("a stream without a caller");
  const subjectToken = readSubjectToken(call, upstream.options);
  return { session: upstreamSessionKey(call), caller, abilities: session?.abilities ?? abilities, subjectToken };
}

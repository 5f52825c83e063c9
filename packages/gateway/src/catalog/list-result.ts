import type { Fault } from "@recourse/faults";
import { resultMeta } from "./about.ts";
import { LISTS, type ListMethod } from "./entry.ts";
import type { Identity } from "./identity.ts";
import type { View } from "./merged.ts";
import type { CallerEra } from "./methods.ts";
import { pageOf } from "./pages.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

/** What a list is answered from. */
export interface ListRequest {
  readonly method: ListMethod;
  readonly cursor: unknown;
  readonly era: CallerEra;
  readonly view: View;
  readonly all: readonly UpstreamLists[];
  readonly identity: Identity;
}

/** The result of a list: the entries that the caller sees, in the words of the upstreams. */
export function listResult({ method, cursor, era, view, all, identity }: ListRequest): string | Fault {
  const page = pageOf(view.entriesOf(method), cursor, identity.origin);
  if ("kind" in page) return page;
  const next = page.nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(page.nextCursor)}`;
  const entries = page.entries.map(({ listed }) => listed).join(",");
  const list = `"${LISTS[method].member}":[${entries}]${next}`;
  if (era === "2025") return `{${list}}`;
  // Lists differ between callers, so they are not for shared caches.
  const ttlMs = all.reduce((least, lists) => Math.min(least, lists.freshMs()), Number.MAX_SAFE_INTEGER);
  const hints = `"resultType":"complete","ttlMs":${all.length === 0 ? 0 : ttlMs},"cacheScope":"private"`;
  return `{${hints},${list},"_meta":${JSON.stringify(resultMeta(identity))}}`;
}

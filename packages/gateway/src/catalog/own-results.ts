import { createRequire } from "node:module";
import type { Fault, Origin } from "@recourse/core";
import { pagination } from "@recourse/core/reasons";
import {
  FAULTS_EXTENSION,
  hasHandshake,
  hasListen,
  LATEST_HANDSHAKE_REVISION,
  LATEST_REVISION,
  objectAt,
  REVISIONS,
  type Revision,
  SERVER_INFO_KEY,
  TASKS_EXTENSION,
} from "@recourse/core/wire";
import type { GatewayConfig } from "../config/types.ts";
import { startsTasks, taskCapability } from "../tasks/task-support.ts";
import type { PlacedEntry } from "./merged.ts";
import { LISTS, type ListMethod } from "./read-list.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { View } from "./view.ts";

export const { version: VERSION } = createRequire(import.meta.url)("@recourse/gateway/package.json") as {
  readonly version: string;
};

export interface Identity {
  readonly name: string;
  readonly version: string;
  readonly origin: Origin;
  /** It honours idempotency keys of its callers. */
  readonly keepsKeys: boolean;
}

export function createIdentity({ name }: Pick<GatewayConfig, "name">, keepsKeys: boolean): Identity {
  return { name, version: VERSION, origin: { layer: "gateway", name }, keepsKeys };
}

/** Instructions of one upstream are cut at this many characters. */
const MAX_INSTRUCTIONS = 16_384;
/** How long callers may keep the answer to `server/discover`. */
const DISCOVER_TTL_MS = 60_000;

/** The `_meta` of results that the gateway itself answers with, for the newer era. */
export function resultMeta({ name, version }: Identity): Readonly<Record<string, unknown>> {
  return { [SERVER_INFO_KEY]: { name, version } };
}

/** The revision that `initialize` agrees on: the one that was asked for, or else the newest of the older era. */
export function agreeOnRevision(requested: unknown): Revision {
  return REVISIONS.find((one) => one === requested && hasHandshake(one)) ?? LATEST_HANDSHAKE_REVISION;
}

export function initializeResult(
  requested: unknown,
  view: View,
  all: readonly UpstreamLists[],
  identity: Identity,
): string {
  const { name, version } = identity;
  return JSON.stringify({
    protocolVersion: agreeOnRevision(requested),
    capabilities: capabilitiesFor(LATEST_HANDSHAKE_REVISION, view, all, identity),
    serverInfo: { name, version },
    instructions: instructionsFor(view, all),
  });
}

export function discoverResult(view: View, all: readonly UpstreamLists[], identity: Identity): string {
  return JSON.stringify({
    resultType: "complete",
    supportedVersions: REVISIONS,
    capabilities: capabilitiesFor(LATEST_REVISION, view, all, identity),
    instructions: instructionsFor(view, all),
    ttlMs: DISCOVER_TTL_MS,
    cacheScope: "private",
    _meta: resultMeta(identity),
  });
}

/**
 * What the gateway passes on for this caller. Tools are always announced, since upstreams that are down come up again;
 * the rest is what the upstreams that the caller reaches announced.
 */
function capabilitiesFor(revision: Revision, view: View, all: readonly UpstreamLists[], { keepsKeys }: Identity) {
  const reached = all.filter((lists) => view.reaches(lists));
  const offers = (capability: string) =>
    reached.some(({ upstream }) => upstream.about?.capabilities[capability] !== undefined);
  // The newer era hears of changes by `subscriptions/listen`, the older one on the stream of its session.
  const listChanged = { listChanged: true };
  const canSubscribe = reached.some(subscribes);
  const tasks = taskCapability(reached);
  return {
    tools: listChanged,
    ...((offers("prompts") || view.listEntries("prompts/list").length > 0) && { prompts: listChanged }),
    ...(offers("resources") && { resources: { ...listChanged, ...(canSubscribe && { subscribe: true }) } }),
    ...(offers("completions") && { completions: {} }),
    // A level is set for a session. The newer era states one in each request, and needs no announcement here.
    ...(hasHandshake(revision) && offers("logging") && { logging: {} }),
    ...(hasHandshake(revision) && tasks !== undefined && { tasks }),
    extensions: {
      [FAULTS_EXTENSION]: { v: 1, keys: keepsKeys },
      ...(!hasHandshake(revision) && reached.some(extendsTasks) && { [TASKS_EXTENSION]: {} }),
    },
  };
}

/** Tasks do not cross eras, so only those of the newer era are announced to it. */
function extendsTasks(lists: UpstreamLists): boolean {
  return !hasHandshake(lists.era) && startsTasks(lists);
}

/** Whether callers can follow single resources of an upstream. */
export function subscribes({ upstream, era }: UpstreamLists): boolean {
  if (!hasListen(era) && upstream.follow === undefined) return false;
  return objectAt(upstream.about?.capabilities, "resources")?.["subscribe"] === true;
}

function instructionsFor(view: View, all: readonly UpstreamLists[]): string | undefined {
  const parts = all.flatMap((lists) => {
    const { about, options } = lists.upstream;
    const text = about?.instructions?.trim().slice(0, MAX_INSTRUCTIONS) ?? "";
    return text === "" || !view.reaches(lists) ? [] : [`${options.name}: ${text}`];
  });
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

const PAGE_SIZE = 250;

interface PageOfEntries {
  readonly entries: readonly PlacedEntry[];
  readonly nextCursor: string | undefined;
}

/**
 * The page that starts behind a cursor. The cursor names the last entry of the page before, so it stays good when entries
 * are added and on other replicas. It is not good when that entry is gone, or is not one that the caller sees.
 */
function listPage(visible: readonly PlacedEntry[], cursor: unknown, origin: Origin): PageOfEntries | Fault {
  let start = 0;
  if (cursor !== undefined) {
    const key = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString("utf8") : undefined;
    start = 1 + visible.findIndex(({ entry }) => entry.key === key);
    if (start === 0) return pagination.invalid_cursor.fault(typeof cursor === "string" ? { cursor } : {}, { origin });
  }
  const entries = visible.slice(start, start + PAGE_SIZE);
  const last = entries.at(-1);
  const isLast = start + PAGE_SIZE >= visible.length || last === undefined;
  return { entries, nextCursor: isLast ? undefined : Buffer.from(last.entry.key, "utf8").toString("base64url") };
}

interface ListRequest {
  readonly method: ListMethod;
  readonly cursor: unknown;
  readonly revision: Revision | undefined;
  readonly view: View;
  readonly all: readonly UpstreamLists[];
  readonly identity: Identity;
}

/** The result of a list: the entries that the caller sees, in the words of the upstreams. */
export function listResult({ method, cursor, revision, view, all, identity }: ListRequest): string | Fault {
  const page = listPage(view.listEntries(method), cursor, identity.origin);
  if ("kind" in page) return page;
  const next = page.nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(page.nextCursor)}`;
  const entries = page.entries.map(({ listed }) => listed).join(",");
  const list = `"${LISTS[method].member}":[${entries}]${next}`;
  if (hasHandshake(revision)) return `{${list}}`;
  // Lists differ between callers, so they are not for shared caches.
  const ttlMs = all.reduce((least, lists) => Math.min(least, view.freshMs(lists)), Number.MAX_SAFE_INTEGER);
  const hints = `"resultType":"complete","ttlMs":${all.length === 0 ? 0 : ttlMs},"cacheScope":"private"`;
  return `{${hints},${list},"_meta":${JSON.stringify(resultMeta(identity))}}`;
}

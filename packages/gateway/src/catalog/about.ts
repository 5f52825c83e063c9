import { FAULTS_EXTENSION, objectAt, REVISIONS } from "@recourse/faults/internal-do-not-use";
import type { Identity } from "./identity.ts";
import type { View } from "./merged.ts";
import { type CallerEra, eraOf } from "./methods.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

/** Instructions of one upstream are cut at this many characters. */
const MAX_INSTRUCTIONS = 16_384;
/** How long callers may keep the answer to `server/discover`. */
const DISCOVER_TTL_MS = 60_000;

/** The `_meta` of results that the gateway itself answers with, for the newer era. */
export function resultMeta({ name, version }: Identity): Readonly<Record<string, unknown>> {
  return { "io.modelcontextprotocol/serverInfo": { name, version } };
}

/** The result of `initialize`. A revision that is not supported is answered with the newest of the older era. */
export function initializeResult(
  requested: unknown,
  view: View,
  all: readonly UpstreamLists[],
  identity: Identity,
): string {
  const older = REVISIONS.filter((revision) => eraOf(revision) === "2025");
  const { name, version } = identity;
  return JSON.stringify({
    protocolVersion: older.find((revision) => revision === requested) ?? older.at(-1),
    capabilities: capabilitiesFor("2025", view, all, identity),
    serverInfo: { name, version },
    instructions: instructionsFor(view, all),
  });
}

/** The result of `server/discover`. */
export function discoverResult(view: View, all: readonly UpstreamLists[], identity: Identity): string {
  return JSON.stringify({
    resultType: "complete",
    supportedVersions: REVISIONS,
    capabilities: capabilitiesFor("2026", view, all, identity),
    instructions: instructionsFor(view, all),
    ttlMs: DISCOVER_TTL_MS,
    cacheScope: "private",
    _meta: resultMeta(identity),
  });
}

/**
 * What the gateway passes on for this caller. Tools are always announced, since upstreams that are away come back; the
 * rest is what the upstreams that the caller reaches announced.
 */
function capabilitiesFor(era: CallerEra, view: View, all: readonly UpstreamLists[], { keepsKeys }: Identity) {
  const reached = all.filter((lists) => view.reaches(lists));
  const offers = (capability: string) =>
    reached.some(({ upstream }) => upstream.about?.capabilities[capability] !== undefined);
  // The newer era hears of changes by `subscriptions/listen`; the older one would need a stream that is not offered.
  const listChanged = era === "2026" ? { listChanged: true } : {};
  const canSubscribe = era === "2026" && reached.some(subscribes);
  return {
    tools: listChanged,
    ...((offers("prompts") || view.entriesOf("prompts/list").length > 0) && { prompts: listChanged }),
    ...(offers("resources") && { resources: { ...listChanged, ...(canSubscribe && { subscribe: true }) } }),
    ...(offers("completions") && { completions: {} }),
    extensions: { [FAULTS_EXTENSION]: { v: 1, keys: keepsKeys } },
  };
}

/** Whether changes of single resources can be listened for at an upstream. */
export function subscribes({ upstream, era }: UpstreamLists): boolean {
  return era === "2026-07-28" && objectAt(upstream.about?.capabilities, "resources")?.["subscribe"] === true;
}

function instructionsFor(view: View, all: readonly UpstreamLists[]): string | undefined {
  const parts = all.flatMap((lists) => {
    const { about, options } = lists.upstream;
    const text = about?.instructions?.trim().slice(0, MAX_INSTRUCTIONS) ?? "";
    return text === "" || !view.reaches(lists) ? [] : [`${options.name}: ${text}`];
  });
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

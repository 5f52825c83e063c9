import { libraryReason } from "@recourse/core/reasons";
import { arrayAt, type JsonObject, numberAt, objectAt, readId, stringAt } from "@recourse/core/wire";
import type { CliFailure } from "../program/command.ts";
import { cutTo } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import { sumByTime } from "../terminal/sparkline.ts";
import { lowerSentence } from "../terminal/wording.ts";
import type { AdminClient, AdminReply } from "./client.ts";
import { type CauseStatus, findProblems, type GatewayStatus, type UpstreamStatus } from "./gateway-status.ts";

const MINUTE_OF_MS = 60_000;
const HOUR_OF_MS = 3_600_000;
/** Causes that are shown, those with the most incidents first. */
const MAX_SHOWN_CAUSES = 5;
/** Fingerprints that causes are put together from. */
const MAX_FINGERPRINTS = 50;
const MAX_TEXT_SHOWN = 200;
/** As many causes as the API tells of at once. */
const MAX_SERIES = 20;
/** Items of a list that are read, whatever the server sends. */
const MAX_ITEMS_READ = 200;
const MAX_PARTS_READ = 20;
/** Stretches of the last hour in the JSON document: one for each two minutes. */
const STRETCHES = 30;

/** Asks the gateway for everything at once. Only a gateway that does not tell its health is a failure: other parts may be down. */
export async function readStatus(
  client: AdminClient,
  nowMs: number,
): Promise<{ readonly status: GatewayStatus } | { readonly failure: CliFailure }> {
  const [health, upstreams, breakers, rates, classes, approvals] = await Promise.all([
    client.get("/health"),
    client.get("/upstreams", { limit: 200 }),
    client.get("/breakers", { limit: 200 }),
    client.get("/call-rates", { range: "1h" }),
    client.get("/incident-classes", { range: "1h", limit: MAX_FINGERPRINTS }),
    client.get("/approvals", { state: "pending", limit: 50 }),
  ]);
  if (!health.ok) return health;
  const notes: string[] = [];
  let isBroken = false;
  const body = (what: string, reply: AdminReply): JsonObject | undefined => {
    if (reply.ok) return reply.value;
    const isOlder = reply.failure.status === 404;
    isBroken ||= !isOlder;
    const because = isOlder ? "this gateway is older than this program" : lowerSentence(reply.failure.message);
    notes.push(`${what} are not shown: ${because}.`);
    return undefined;
  };
  const upstreamList = body("Upstreams", upstreams);
  const breakerList = arrayAt(body("Breakers", breakers), "items").slice(0, MAX_ITEMS_READ);
  const rateList = body("Calls", rates);
  const classList = body("Causes", classes);
  const waiting = body("Approvals", approvals);
  const causes =
    classList && (await groupCauses(arrayAt(classList, "items").slice(0, MAX_FINGERPRINTS), client, nowMs));
  const known = upstreamList && readItems(upstreamList).map((one) => readUpstreamStatus(one, breakerList));
  const tools = breakerList.flatMap((one) => {
    const tool = shortText(one, "tool");
    if (tool === undefined) return [];
    const upstream = shortText(one, "upstream") ?? "";
    return [{ upstream, tool, breakerSince: isoTimeAt(one, "changedAt"), nextTryMs: numberAt(one, "afterMs") }];
  });
  const status = {
    address: client.address,
    name: shortText(health.value, "name") ?? "gateway",
    version: shortText(health.value, "version") ?? "",
    store: shortText(health.value, "store") ?? "",
    startedAt: isoTimeAt(health.value, "startedAt"),
    parts: readParts(health.value),
    upstreams: known,
    heldBackTools: tools,
    lastHour: rateList && readLastHour(rateList, nowMs),
    causes,
    approvals: waiting && readWaiting(waiting),
  };
  const found = findProblems(status, readDownParts(health.value), nowMs);
  // What is not shown is a problem of its own only if nothing else explains it.
  const problems = isBroken && found.length === 0 ? [{ message: "A part of the gateway does not answer." }] : found;
  return { status: { ...status, problems, notes } };
}

function readItems(list: JsonObject): readonly unknown[] {
  return arrayAt(list, "items").slice(0, MAX_ITEMS_READ);
}

function readParts(health: JsonObject): Readonly<Record<string, string>> {
  const names = Object.keys(objectAt(health, "parts") ?? {}).slice(0, MAX_PARTS_READ);
  const parts = objectAt(health, "parts");
  return Object.fromEntries(
    names.map((name) => [cutTo(printableLine(name.slice(0, 80)), 40), shortText(parts, name) ?? "unknown"]),
  );
}

function readDownParts(health: JsonObject): Parameters<typeof findProblems>[1] {
  const items = arrayAt(health, "why").slice(0, MAX_ITEMS_READ);
  return items.map((one) => {
    return { part: shortText(one, "part") ?? "", since: isoTimeAt(one, "since"), text: shortText(one, "text") };
  });
}

/** Incidents with one reason at one place are one cause for a person, whatever their fingerprints. */
async function groupCauses(classes: readonly unknown[], client: AdminClient, nowMs: number): Promise<CauseStatus[]> {
  const places = Map.groupBy(classes, (one) =>
    JSON.stringify(["reason", "tool", "upstream"].map((name) => stringAt(one, name) ?? "")),
  );
  const groups = [...places.values()].toSorted((one, other) => sumOf(other, "count") - sumOf(one, "count"));
  const causes = await Promise.all(groups.slice(0, MAX_SHOWN_CAUSES).map((group) => readCause(group, client, nowMs)));
  // One explanation of a reason is enough.
  const explained = new Set<string>();
  return causes.map(({ next, ...cause }) => {
    const isKnown = libraryReason(cause.reason) !== undefined && !explained.has(cause.reason);
    explained.add(cause.reason);
    return { ...cause, next: isKnown ? [...next, `recourse explain ${cause.reason}`] : next };
  });
}

async function readCause(group: readonly unknown[], client: AdminClient, nowMs: number): Promise<CauseStatus> {
  const newestClass = group.toSorted((one, other) => lastSeenMs(other) - lastSeenMs(one))[0];
  const [reason, tool, upstream] = ["reason", "tool", "upstream"].map((name) => stringAt(newestClass, name));
  const [rates, newest] = await Promise.all([
    client.get("/incident-series", { by: "fingerprint", range: "1h", top: MAX_SERIES, reason, tool, upstream }),
    client.get("/incidents", { fingerprint: stringAt(newestClass, "fingerprint"), limit: 1 }),
  ]);
  const fingerprints = group.map((one) => stringAt(one, "fingerprint"));
  const series = rates.ok ? arrayAt(rates.value, "groups") : [];
  const incident = newest.ok ? readId(stringAt(arrayAt(newest.value, "items")[0], "id")) : undefined;
  return {
    reason: shortText(newestClass, "reason") ?? "",
    count: sumOf(group, "count"),
    tool: shortText(newestClass, "tool"),
    upstream: shortText(newestClass, "upstream"),
    message: shortText(newestClass, "message") ?? "",
    lastSeen: isoTimeAt(newestClass, "lastSeen") ?? "",
    counts: byStretch(
      rates.ok ? rates.value : undefined,
      series.filter((one) => fingerprints.includes(stringAt(one, "group"))),
      { name: "counts", nowMs },
    ),
    incident,
    next: incident === undefined ? [] : [`recourse incident ${incident}`],
  };
}

function lastSeenMs(one: unknown): number {
  return Date.parse(stringAt(one, "lastSeen") ?? "") || 0;
}

function sumOf(items: readonly unknown[], name: string): number {
  return items.reduce((so: number, one) => so + (numberAt(one, name) ?? 0), 0);
}

function readUpstreamStatus(one: unknown, breakers: readonly unknown[]): UpstreamStatus {
  const name = stringAt(one, "upstream");
  const own = breakers.find((each) => stringAt(each, "upstream") === name && stringAt(each, "tool") === undefined);
  const last = objectAt(one, "lastFailure");
  const incident = readId(stringAt(last, "incident"));
  const breaker = shortText(one, "breaker");
  const downSince = isoTimeAt(one, "downSince");
  return {
    upstream: shortText(one, "upstream") ?? "",
    isUp: stringAt(one, "listed") === "current" && breaker !== "open" && downSince === undefined,
    tools: numberAt(one, "tools") ?? 0,
    requests: numberAt(one, "requests") ?? 0,
    failures: numberAt(one, "failures") ?? 0,
    downSince,
    breaker,
    breakerSince: isoTimeAt(one, "breakerSince"),
    nextTryMs: numberAt(own, "afterMs"),
    lastFailure:
      incident === undefined
        ? undefined
        : { at: isoTimeAt(last, "at") ?? "", reason: shortText(last, "reason") ?? "", incident },
  };
}

function readLastHour(rates: JsonObject, nowMs: number): GatewayStatus["lastHour"] {
  const groups = arrayAt(rates, "groups").slice(0, MAX_ITEMS_READ);
  const all = [...groups, objectAt(rates, "other")];
  return {
    requests: sumOf(all, "calls"),
    failures: sumOf(all, "faults"),
    requestCounts: byStretch(rates, groups, { name: "total", nowMs }),
    failureCounts: byStretch(rates, groups, { name: "operator", nowMs }),
  };
}

/** Counts of each minute of some groups, in fewer stretches. */
function byStretch(
  list: unknown,
  groups: readonly unknown[],
  { name, nowMs }: { readonly name: string; readonly nowMs: number },
): number[] {
  const sinceMs = Date.parse(stringAt(list, "since") ?? "");
  const points = groups.flatMap((one) =>
    arrayAt(one, name)
      .slice(0, MAX_ITEMS_READ)
      .map((count, minute) => ({
        atMs: sinceMs + minute * MINUTE_OF_MS,
        count: typeof count === "number" ? count : 0,
      })),
  );
  return sumByTime(points, { nowMs, spanMs: HOUR_OF_MS, parts: STRETCHES });
}

function readWaiting(list: JsonObject): GatewayStatus["approvals"] {
  const times = arrayAt(list, "items").flatMap((one) => isoTimeAt(one, "expiresAt") ?? []);
  return {
    waiting: arrayAt(list, "items").length,
    hasMore: stringAt(list, "next") !== undefined,
    firstExpiresAt: times.toSorted().at(0),
  };
}

/** A text of the gateway as one printable line of a bounded length. Undefined if it is empty or none. */
function shortText(from: unknown, name: string): string | undefined {
  const text = stringAt(from, name);
  if (text === undefined || text === "") return undefined;
  return cutTo(printableLine(text.slice(0, 2 * MAX_TEXT_SHOWN)), MAX_TEXT_SHOWN);
}

function isoTimeAt(from: unknown, name: string): string | undefined {
  const ms = Date.parse(stringAt(from, name) ?? "");
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

import { core } from "@recourse/faults";
import { digestOf } from "../../auth/digest.ts";
import type { IncidentFilter, IncidentReader, Page, RateGroup } from "../../incidents/incidents.ts";
import { makeChange } from "../change.ts";
import { pageOfAll, pageOfRows } from "../paging.ts";
import { Refusal, type Route } from "../route.ts";
import { choice, count, FINGERPRINT, id, limit, object, pageOf, SCHEMAS, text, time } from "../schemas.ts";
import type { AdminParts } from "../start-admin.ts";
import type { Values } from "../values.ts";

const RATE_GROUPS = [
  "kind",
  "reason",
  "tool",
  "upstream",
  "caller",
  "fingerprint",
] as const satisfies readonly RateGroup[];

const WIDTHS = ["minute", "hour"] as const;

/** Most fingerprints that a ranking is asked for; pages are cut from them. */
const MAX_CLASSES = 1_000;
/** A caller's id holds issuer, tenant and subject. */
const MAX_CALLER = 1_024;

const FILTERS = {
  reason: text("Only incidents with this reason, such as `core/unavailable`."),
  kind: text("Only incidents of this kind, such as `unavailable`."),
  tool: text("Only incidents of this tool, by the name that callers use."),
  upstream: text("Only incidents of this upstream."),
  tenant: text("Only incidents of this tenant."),
  caller: text("Only incidents of this caller, by its id.", MAX_CALLER),
  fingerprint: FINGERPRINT,
  since: time("Only incidents from this time on."),
  until: time("Only incidents before this time."),
} as const;

/** Upstreams may use one id twice, so the time of the row belongs to it. */
const CURSOR = {
  type: "string",
  maxLength: 41,
  pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}(?:\\.[0-9]{1,14})?$",
  description: "The `next` of the page before, or an id.",
} as const;

const before = (what: string) => text(`The \`next\` of the page before: ${what}.`, MAX_CALLER);

/** Routes that show and erase incidents. */
export const INCIDENT_ROUTES = [
  {
    method: "GET",
    path: "/incidents",
    id: "searchIncidents",
    role: "viewer",
    summary: "Search incidents, the newest first.",
    query: { ...FILTERS, limit: limit(50, 200), before: CURSOR },
    answer: pageOf(SCHEMAS.Incident),
    async handle({ values }, parts) {
      const most = values.count("limit");
      const page = { limit: most + 1, ...cursorIn(values.text("before")) };
      const rows = await readerOf(parts)?.search(filterIn(values), page);
      return pageOfRows(rows ?? [], most, (row) => `${row.id}.${Date.parse(row.at)}`);
    },
  },
  {
    method: "GET",
    path: "/incidents/{id}",
    id: "getIncident",
    role: "viewer",
    summary: "Get one incident by the id that the caller was told, or by the id that the upstream gave to it.",
    description: "New incidents are written a moment after the answer, so one that just happened may not be there yet.",
    params: { id: id("The id of the incident.") },
    answer: SCHEMAS.Incident,
    async handle({ values }, parts) {
      return (await readerOf(parts)?.find(values.id("id"))) ?? notFound("incident");
    },
  },
  {
    method: "GET",
    path: "/incident-classes",
    id: "rankIncidentClasses",
    role: "viewer",
    summary: "Rank the causes of incidents: the fingerprints with the most incidents first.",
    query: { ...FILTERS, limit: limit(20, 200), before: before("a fingerprint") },
    answer: pageOf(SCHEMAS.IncidentClass),
    async handle({ values }, parts) {
      const rows = await readerOf(parts)?.ranking(filterIn(values), MAX_CLASSES);
      return pageOfAll(rows ?? [], values, (row) => row.fingerprint);
    },
  },
  {
    method: "GET",
    path: "/incident-classes/{fingerprint}",
    id: "getIncidentClass",
    role: "viewer",
    summary: "Get what all incidents with one fingerprint have in common.",
    params: { fingerprint: FINGERPRINT },
    answer: SCHEMAS.IncidentClass,
    async handle({ values }, parts) {
      return (await readerOf(parts)?.findClass(values.id("fingerprint"))) ?? notFound("fingerprint");
    },
  },
  {
    method: "GET",
    path: "/incident-rates",
    id: "getIncidentRates",
    role: "viewer",
    summary: "Count incidents over time.",
    query: {
      by: { ...choice(RATE_GROUPS, "What the counts are told apart by."), default: "kind" },
      width: { ...choice(WIDTHS, "The stretch of time that one count is for."), default: "hour" },
      ...FILTERS,
      limit: limit(200, 1_000),
      before: before("a time and a group"),
    },
    answer: pageOf(SCHEMAS.IncidentRate),
    async handle({ values }, parts) {
      const by = RATE_GROUPS.find((one) => one === values.text("by")) ?? "kind";
      const width = WIDTHS.find((one) => one === values.text("width")) ?? "hour";
      const points = await readerOf(parts)?.rates(filterIn(values), by, width);
      return pageOfAll(points ?? [], values, (point) => `${point.at} ${point.group}`);
    },
  },
  {
    method: "DELETE",
    path: "/callers/{caller}/incidents",
    id: "eraseCallerIncidents",
    role: "admin",
    summary: "Erase what is kept about a caller in incidents.",
    description:
      'The id of a caller is a JSON list of issuer, tenant and subject, such as `["key","acme","ci"]`, percent-encoded in the path. Counts stay, since they name nobody. The audit keeps a digest of the id, not the id.',
    params: { caller: text("The id of the caller.", MAX_CALLER) },
    answer: object({ erased: count("How many incidents were erased.") }),
    async handle(request, parts) {
      const reader = readerOf(parts);
      if (reader === undefined) return { erased: 0 };
      const caller = request.values.id("caller");
      // The audit is kept for longer than what is erased, so it must not name the caller.
      const target = `sha256:${digestOf(caller)}`;
      const make = async () => ({ erased: await reader.erase(caller) });
      return makeChange(request, parts, { action: "incidents.erase", target, make });
    },
  },
] as const satisfies readonly Route[];

function readerOf({ controls }: AdminParts): IncidentReader | undefined {
  return controls.incidents?.reader;
}

function cursorIn(text: string | undefined): Pick<Page, "before" | "beforeAt"> {
  const [before, ms] = text?.split(".") ?? [];
  return { before, beforeAt: ms === undefined ? undefined : new Date(Number(ms)).toISOString() };
}

function notFound(what: string): Refusal {
  return new Refusal(core.not_found.fault({ what }, { effect: "none" }));
}

function filterIn(values: Values): IncidentFilter {
  return {
    reason: values.text("reason"),
    kind: values.text("kind"),
    tool: values.text("tool"),
    upstream: values.text("upstream"),
    tenant: values.text("tenant"),
    caller: values.text("caller"),
    fingerprint: values.text("fingerprint"),
    since: values.time("since"),
    until: values.time("until"),
  };
}

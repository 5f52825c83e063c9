import { z } from "@hono/zod-openapi";
import { core } from "@recourse/core/reasons";
import { sha256Hex } from "../../call/binding.ts";
import { windowUntil } from "../../counts/windows.ts";
import type { IncidentFilter, IncidentPage, IncidentReader } from "../../incidents/incidents.ts";
import { RANGE } from "../overview-schemas.ts";
import type { AdminParts } from "../parts.ts";
import { type AdminRoute, defineRoute, makeChange, pageOfRows, Refusal } from "../route.ts";
import {
  FINGERPRINT,
  INCIDENT,
  INCIDENT_CLASS,
  instant,
  ownId,
  pageLimit,
  pageOf,
  searchText,
  TRACE_ID,
  total,
} from "../schemas.ts";

/** A caller's id holds issuer, tenant and subject. */
const MAX_CALLER = 1_024;

export const COUNTED_FILTERS = {
  reason: searchText("Only incidents with this reason, such as `core/unavailable`.").optional(),
  kind: searchText("Only incidents of this kind, such as `unavailable`.").optional(),
  tool: searchText("Only incidents of this tool, by the name that callers use.").optional(),
  upstream: searchText("Only incidents of this upstream.").optional(),
  tenant: searchText("Only incidents of this tenant.").optional(),
  caller: searchText("Only incidents of this caller, by its id.", MAX_CALLER).optional(),
  fingerprint: FINGERPRINT.optional(),
} as const;

const FILTERS = {
  ...COUNTED_FILTERS,
  trace: TRACE_ID.optional(),
  since: instant("Only incidents from this time on.").optional(),
  until: instant("Only incidents before this time.").optional(),
} as const;

/** Upstreams may use one id twice, so the time of the row belongs to it. */
const CURSOR = z
  .string()
  .max(41)
  .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}(?:\.[0-9]{1,14})?$/)
  .describe("The `next` of the previous page, or an id.");

export const INCIDENT_ROUTES: readonly AdminRoute[] = [
  defineRoute({
    method: "GET",
    path: "/incidents",
    id: "searchIncidents",
    role: "viewer",
    summary: "Search incidents, the newest first.",
    query: z.strictObject({
      id: ownId("Only incidents with this id; upstreams may use an id twice.").optional(),
      ...FILTERS,
      limit: pageLimit(50, 200),
      before: CURSOR.optional(),
    }),
    answer: pageOf(INCIDENT),
    async handle({ values }, parts) {
      const page = { limit: values.limit + 1, ...readCursor(values.before) };
      const rows = await reader(parts)?.search({ ...toFilter(values), id: values.id }, page);
      return pageOfRows(rows ?? [], values.limit, (row) => `${row.id}.${Date.parse(row.at)}`);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/incidents/{id}",
    id: "getIncident",
    role: "viewer",
    summary: "Get one incident by the id that the caller got, or by the id that the upstream gave to it.",
    description: "New incidents are written a moment after the answer, so a new incident may not be there yet.",
    params: z.strictObject({ id: ownId("The id of the incident.") }),
    query: z.strictObject({ at: instant("One of the times in `othersAt`: another incident with this id.").optional() }),
    answer: INCIDENT,
    async handle({ values: { id, at } }, parts) {
      if (at === undefined) return (await reader(parts)?.find(id)) ?? notFound("incident");
      const until = new Date(Date.parse(at) + 1).toISOString();
      const [found] = (await reader(parts)?.search({ id, since: at, until }, { limit: 1 })) ?? [];
      return found ?? notFound("incident");
    },
  }),
  defineRoute({
    method: "GET",
    path: "/incident-classes",
    id: "listIncidentClasses",
    role: "viewer",
    summary: "List the causes of incidents: the fingerprints with the most incidents first.",
    query: z.strictObject({ range: RANGE, ...COUNTED_FILTERS, limit: pageLimit(20, 200) }),
    answer: pageOf(INCIDENT_CLASS),
    async handle({ values: { range, limit, ...filter } }, { controls: { counts }, now }) {
      const window = windowUntil(range, now());
      const series = await counts?.incidents.series(window, { by: "fingerprint", top: limit, filter });
      const groups = series?.groups ?? [];
      const causes = await counts?.incidents.causes(groups.map(({ group }) => group));
      return {
        items: groups.flatMap(({ group, total: count }) => {
          const cause = causes?.named.get(group);
          return cause === undefined ? [] : [{ ...cause, count }];
        }),
        next: null,
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/incident-classes/{fingerprint}",
    id: "getIncidentClass",
    role: "viewer",
    summary: "Get what all incidents with one fingerprint have in common.",
    params: z.strictObject({ fingerprint: FINGERPRINT }),
    answer: INCIDENT_CLASS,
    async handle({ values }, parts) {
      return (await reader(parts)?.findClass(values.fingerprint)) ?? notFound("fingerprint");
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/callers/{caller}/incidents",
    id: "eraseCallerIncidents",
    role: "admin",
    summary: "Erase what incidents contain about a caller.",
    description:
      'The id of a caller is a JSON list of issuer, tenant and subject, such as `["key","acme","ci"]`, percent-encoded in the path. Counts by caller are erased too; the other counts stay, since they name no one. The audit keeps a digest of the id, not the id.',
    params: z.strictObject({ caller: searchText("The id of the caller.", MAX_CALLER) }),
    answer: z.strictObject({ erased: total("How many incidents were erased.") }),
    async handle(request, parts) {
      const incidents = reader(parts);
      if (incidents === undefined) return { erased: 0 };
      const { caller } = request.values;
      // The audit is kept for longer than what is erased, so it must not name the caller.
      const target = `sha256:${sha256Hex(caller)}`;
      const make = async () => {
        const erased = await incidents.erase(caller);
        await parts.controls.counts?.erase(caller);
        return { erased };
      };
      return makeChange(request, parts, { action: "incidents.erase", target, make });
    },
  }),
];

function reader({ controls }: AdminParts): IncidentReader | undefined {
  return controls.incidents?.reader;
}

function readCursor(text: string | undefined): Pick<IncidentPage, "before" | "beforeAt"> {
  const [before, ms] = text?.split(".") ?? [];
  return { before, beforeAt: ms === undefined ? undefined : new Date(Number(ms)).toISOString() };
}

function notFound(what: string): Refusal {
  return new Refusal(core.not_found.fault({ what }, { effect: "none" }));
}

/** Only what is looked for, whatever else was sent. */
function toFilter({
  reason,
  kind,
  tool,
  upstream,
  tenant,
  caller,
  fingerprint,
  trace,
  since,
  until,
}: IncidentFilter): IncidentFilter {
  return { reason, kind, tool, upstream, tenant, caller, fingerprint, trace, since, until };
}

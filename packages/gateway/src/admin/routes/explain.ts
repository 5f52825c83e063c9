import { z } from "@hono/zod-openapi";
import { core } from "@recourse/core/reasons";
import { loadExplanations } from "../../incidents/explain-class.ts";
import { findByText } from "../find.ts";
import { EXPLANATION, FOUND } from "../overview-schemas.ts";
import { type AdminRoute, defineRoute, Refusal } from "../route.ts";
import { searchText } from "../schemas.ts";

/** Where reasons are documented, a page for each. */
const REASON_PAGES = "https://github.com/recourse-mcp/recourse/blob/main/docs/errors";
/** A whole sentence can be pasted. */
const MAX_TYPED = 1_024;
const MAX_REASON = 128;

export const EXPLAIN_ROUTES: readonly AdminRoute[] = [
  defineRoute({
    method: "GET",
    path: "/explain/{domain}/{name}",
    id: "explainReason",
    role: "viewer",
    summary: "Explain a reason: what it means, what causes it, and what to do.",
    description: "A reason of another program is explained by its kind, if you give it.",
    params: z.strictObject({
      domain: searchText("The part of the reason before the slash.", MAX_REASON),
      name: searchText("The part of the reason after the slash.", MAX_REASON),
    }),
    query: z.strictObject({ kind: searchText("The kind of the failure, such as `unavailable`.").optional() }),
    answer: EXPLANATION,
    tagged: (answer) => answer,
    async handle({ values: { domain, name, kind } }) {
      const { explain } = await loadExplanations();
      const found = explain({ reason: `${domain}/${name}`, ...(kind !== undefined && { kind }) });
      if (found === undefined) return new Refusal(core.not_found.fault({ what: "reason" }, { effect: "none" }));
      const { codes: _codes, exact, ...explanation } = found;
      return { ...explanation, docs: `${REASON_PAGES}/${exact ? found.reason : "by-kind"}.md` };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/find",
    id: "find",
    role: "viewer",
    summary: "Find what a text names: incidents, approvals, causes, reasons, tools, upstreams and callers.",
    description:
      "Ids, fingerprints and traces are found within a sentence too. If no incident has the id, the answer has incidents of the last hour whose ids differ by one character. Callers are searched in the newest incidents of the last 24 hours.",
    query: z.strictObject({ q: searchText("What was typed or pasted.", MAX_TYPED).optional() }),
    answer: z.strictObject({ items: z.array(FOUND).max(10) }),
    async handle({ values: { q } }, parts) {
      return { items: q === undefined ? [] : await findByText(q, parts) };
    },
  }),
];

import { z } from "@hono/zod-openapi";
import { CHANGE_CURSOR } from "../../changes/changes.ts";
import { CHANGE, CHANGE_KINDS, REPLICA } from "../overview-schemas.ts";
import { type AdminRoute, defineRoute } from "../route.ts";
import { instant, pageLimit, pageOf, searchText } from "../schemas.ts";

export const CHANGE_ROUTES: readonly AdminRoute[] = [
  defineRoute({
    method: "GET",
    path: "/changes",
    id: "listChanges",
    role: "viewer",
    summary: "List what changed, the newest first: people, the configuration, breakers, stores and processes.",
    description:
      "Changes are kept for 90 days; in memory mode, the last thousand. For the configuration, only the names of options are kept.",
    query: z.strictObject({
      kind: z.enum(CHANGE_KINDS).describe("Only changes of this kind.").optional(),
      target: searchText("Only changes of this target, such as the name of an upstream.").optional(),
      since: instant("Only changes from this time on.").optional(),
      until: instant("Only changes before this time.").optional(),
      limit: pageLimit(50, 200),
      before: z.string().max(40).regex(CHANGE_CURSOR).describe("The `next` of the previous page.").optional(),
    }),
    answer: pageOf(CHANGE),
    handle: async ({ values }, { changes }) => (await changes?.list(values)) ?? { items: [], next: null },
  }),
  defineRoute({
    method: "GET",
    path: "/replicas",
    id: "listReplicas",
    role: "viewer",
    summary: "List the processes of this gateway that were seen within the last ten minutes.",
    answer: z.strictObject({ items: z.array(REPLICA).max(1_000) }),
    handle: async (_, { replicas }) => ({ items: (await replicas?.list()) ?? [] }),
  }),
];

import { z } from "@hono/zod-openapi";
import { core } from "@recourse/core/reasons";
import { CHANGE_CURSOR } from "../../changes/changes.ts";
import { AWAY_MS } from "../answer.ts";
import { CHANGE, CHANGE_KINDS, LIVE_EVENTS, REPLICA } from "../overview-schemas.ts";
import { type AdminRoute, defineRoute, EventStreamAnswer, Refusal } from "../route.ts";
import { instant, pageLimit, pageOf, searchText } from "../schemas.ts";

/** Routes that show what changed, what happens now, and which processes there are. */
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
  defineRoute({
    method: "GET",
    path: "/live",
    id: "streamLive",
    role: "viewer",
    summary:
      "Follow what happens as an event stream: incidents, approvals, breakers, stores, changes, and a tick each second.",
    description:
      "Events carry ids and labels, no texts. At most 200 events a second; a tick says how many were left out. Within a minute, a broken stream can continue after `Last-Event-ID`; if that is not possible, the first event is `reset`. At most 256 streams per process.",
    answer: z.strictObject(LIVE_EVENTS).partial().describe("The data of each event, by the name of the event."),
    isEventStream: true,
    handle({ connection }, { live }) {
      if (connection === undefined || live === undefined || !live.hasRoom) return NO_ROOM;
      const { recheck, destroy } = connection;
      return new EventStreamAnswer(() => {
        return live.open({ lastEventId: connection.header("last-event-id"), recheck, destroy });
      });
    },
  }),
];

const NO_ROOM = new Refusal(core.overloaded.fault({}, { effect: "none", afterMs: AWAY_MS * 10 }), {
  sentence: "This process has no room for another live stream, or it stops. Close streams that nobody reads.",
});

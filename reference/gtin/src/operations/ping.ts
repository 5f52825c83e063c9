import * as z from "zod";
import { defineOperation } from "./operation.ts";

/** Reports whether the server and its database work. It never fails: an outage is part of the answer. */
export const ping = defineOperation({
  name: "ping",
  title: "Ping",
  description: "Tells whether the server and its database are up. Never fails.",
  access: "open",
  input: z.object({}),
  reasons: [],
  changes: false,
  run: async (_input, { health }) => ({ status: "ok", database: (await health.isUp()) ? "up" : "down" }),
});

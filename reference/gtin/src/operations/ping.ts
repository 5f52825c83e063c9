import * as z from "zod";
import { operation } from "./operation.ts";

/** Tells that the server is alive. It has no way to fail: a database that is away is told, not suffered. */
export const ping = operation({
  name: "ping",
  title: "Ping",
  description: "Tells whether the server and its database are up. Never fails.",
  access: "open",
  input: z.object({}),
  reasons: [],
  changes: false,
  run: async (_input, { health }) => ({ status: "ok", database: (await health.isUp()) ? "up" : "down" }),
});

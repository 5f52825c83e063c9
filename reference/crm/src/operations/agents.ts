import * as z from "zod";
import { crm } from "../reasons.ts";
import { defineOperation, id, limit } from "./operation.ts";

/** The operations on agents. */
export const AGENTS = [
  defineOperation({
    id: "listAgents",
    method: "GET",
    path: "/agents",
    summary: "Lists the agents of a workspace.",
    input: z.strictObject({ limit }),
    success: 200,
    fails: [],
    async run({ limit: most }, { database, workspace }) {
      const sql = "select id, name from agent where workspace_id = $1 order by id limit $2";
      return { agents: await database.read(sql, [workspace, most]) };
    },
  }),
  defineOperation({
    id: "getAgent",
    method: "GET",
    path: "/agents/{id}",
    summary: "Looks an agent up.",
    input: z.strictObject({ id }),
    success: 200,
    fails: [404],
    async run(input, { database, workspace }) {
      const sql = "select id, name from agent where workspace_id = $1 and id = $2";
      const [agent] = await database.read(sql, [workspace, input.id]);
      if (agent === undefined) throw crm.agent_not_found();
      return agent;
    },
  }),
  defineOperation({
    id: "detachAgent",
    method: "POST",
    path: "/agents/{id}/detach",
    summary: "Takes an agent out of its workspace; its campaigns can then no longer be launched.",
    input: z.strictObject({ id }),
    success: 200,
    fails: [404],
    async run(input, { database, workspace }) {
      const sql = "update agent set workspace_id = null where workspace_id = $1 and id = $2 returning id, name";
      const [agent] = await database.write(sql, [workspace, input.id]);
      if (agent === undefined) throw crm.agent_not_found();
      return { detached: true, ...agent };
    },
  }),
];

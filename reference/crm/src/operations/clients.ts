import * as z from "zod";
import { crm } from "../reasons.ts";
import { defineOperation, id, label, limit } from "./operation.ts";

const COLUMNS = "id, name, email, stage";
const stage = z.enum(["lead", "customer", "former"]);

/** The operations on clients. */
export const CLIENTS = [
  defineOperation({
    id: "listClients",
    method: "GET",
    path: "/clients",
    summary: "Lists the clients of a workspace, perhaps those of one stage.",
    input: z.strictObject({ stage: stage.optional(), limit }),
    success: 200,
    fails: [],
    async run({ stage: wanted, limit: most }, { database, workspace }) {
      const sql = `select ${COLUMNS} from client where workspace_id = $1 and ($2::text is null or stage = $2) order by id limit $3`;
      return { clients: await database.read(sql, [workspace, wanted ?? null, most]) };
    },
  }),
  defineOperation({
    id: "getClient",
    method: "GET",
    path: "/clients/{id}",
    summary: "Looks a client up.",
    input: z.strictObject({ id }),
    success: 200,
    fails: [404],
    async run(input, { database, workspace }) {
      const sql = `select ${COLUMNS} from client where workspace_id = $1 and id = $2`;
      const [client] = await database.read(sql, [workspace, input.id]);
      if (client === undefined) throw crm.client_not_found();
      return client;
    },
  }),
  defineOperation({
    id: "createClient",
    method: "POST",
    path: "/clients",
    summary: "Adds a client to a workspace.",
    input: z.strictObject({ name: label, email: z.email(), stage: stage.default("lead") }),
    success: 201,
    fails: [],
    async run(input, { database, workspace }) {
      const sql = `insert into client (workspace_id, name, email, stage) values ($1, $2, $3, $4) returning ${COLUMNS}`;
      const [client = {}] = await database.write(sql, [workspace, input.name, input.email, input.stage]);
      return client;
    },
  }),
  defineOperation({
    id: "deleteClient",
    method: "DELETE",
    path: "/clients/{id}",
    summary: "Removes a client for good.",
    input: z.strictObject({ id }),
    success: 200,
    fails: [404],
    async run(input, { database, workspace }) {
      const sql = "delete from client where workspace_id = $1 and id = $2 returning id";
      const [gone] = await database.write(sql, [workspace, input.id]);
      if (gone === undefined) throw crm.client_not_found();
      return { deleted: true, ...gone };
    },
  }),
];

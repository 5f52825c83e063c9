import * as z from "zod";
import { crm } from "../reasons.ts";
import { defineOperation, id, limit } from "./operation.ts";

const COLUMNS = "id, event, url";

/** The operations on webhooks. */
export const WEBHOOKS = [
  defineOperation({
    id: "listWebhooks",
    method: "GET",
    path: "/webhooks",
    summary: "Lists the webhooks of a workspace.",
    input: z.strictObject({ limit }),
    success: 200,
    fails: [],
    async run({ limit: most }, { database, workspace }) {
      const sql = `select ${COLUMNS} from webhook where workspace_id = $1 order by id limit $2`;
      return { webhooks: await database.read(sql, [workspace, most]) };
    },
  }),
  defineOperation({
    id: "createWebhook",
    method: "POST",
    path: "/webhooks",
    summary: "Has an address called whenever something happens.",
    input: z.strictObject({
      event: z.enum(["client.created", "campaign.launched"]),
      url: z.string().max(500).refine(isHttps, { message: "Must be an address that begins with https://" }),
    }),
    success: 201,
    fails: [],
    async run({ event, url }, { database, workspace }) {
      const sql = `insert into webhook (workspace_id, event, url) values ($1, $2, $3) returning ${COLUMNS}`;
      const [webhook = {}] = await database.write(sql, [workspace, event, new URL(url).href]);
      return webhook;
    },
  }),
  defineOperation({
    id: "deleteWebhook",
    method: "DELETE",
    path: "/webhooks/{id}",
    summary: "Has an address called no more.",
    input: z.strictObject({ id }),
    success: 200,
    fails: [404],
    async run(input, { database, workspace }) {
      const sql = "delete from webhook where workspace_id = $1 and id = $2 returning id";
      const [gone] = await database.write(sql, [workspace, input.id]);
      if (gone === undefined) throw crm.webhook_not_found();
      return { deleted: true, ...gone };
    },
  }),
];

function isHttps(text: string): boolean {
  return URL.parse(text)?.protocol === "https:";
}

import * as z from "zod";
import { crm } from "../reasons.ts";
import { day, defineOperation, id, label, limit } from "./operation.ts";

// Days are texts: as dates they would depend on the time zone of the server.
const COLUMNS =
  "id, agent_id, name, starts_on::text as starts_on, ends_on::text as ends_on, launched_at is not null as launched";

// One statement, so that a campaign cannot be launched twice at the same moment.
const LAUNCH = `
  update campaign set launched_at = now()
  where workspace_id = $1 and id = $2 and launched_at is null
    and exists (select from agent where agent.id = agent_id and agent.workspace_id = campaign.workspace_id)
  returning ${COLUMNS}`;

/** The operations on campaigns. */
export const CAMPAIGNS = [
  defineOperation({
    id: "listCampaigns",
    method: "GET",
    path: "/campaigns",
    summary: "Lists the campaigns of a workspace.",
    input: z.strictObject({ limit }),
    success: 200,
    fails: [],
    async run({ limit: most }, { database, workspace }) {
      const sql = `select ${COLUMNS} from campaign where workspace_id = $1 order by id limit $2`;
      return { campaigns: await database.read(sql, [workspace, most]) };
    },
  }),
  defineOperation({
    id: "createCampaign",
    method: "POST",
    path: "/campaigns",
    summary: "Plans a campaign from one day to another, with an agent of the workspace.",
    input: z
      .strictObject({ name: label, agent_id: id, starts_on: day, ends_on: day })
      .refine(({ starts_on, ends_on }) => ends_on >= starts_on, {
        path: ["ends_on"],
        message: "Must be a day on or after starts_on",
      }),
    success: 201,
    fails: [404],
    async run({ name, agent_id, starts_on, ends_on }, { database, workspace }) {
      const sql = `
        insert into campaign (workspace_id, agent_id, name, starts_on, ends_on)
        select workspace_id, id, $3, $4, $5 from agent where workspace_id = $1 and id = $2
        returning ${COLUMNS}`;
      const [campaign] = await database.write(sql, [workspace, agent_id, name, starts_on, ends_on]);
      if (campaign === undefined) throw crm.agent_not_found();
      return campaign;
    },
  }),
  defineOperation({
    id: "launchCampaign",
    method: "POST",
    path: "/campaigns/{id}/launch",
    summary: "Launches a campaign, once.",
    input: z.strictObject({ id }),
    success: 200,
    fails: [404, 422],
    async run(input, { database, workspace }) {
      const [campaign] = await database.write(LAUNCH, [workspace, input.id]);
      if (campaign !== undefined) return campaign;
      const sql = "select launched_at from campaign where workspace_id = $1 and id = $2";
      const [why] = await database.read(sql, [workspace, input.id]);
      if (why === undefined) throw crm.campaign_not_found();
      throw why["launched_at"] === null ? crm.agent_without_workspace() : crm.campaign_launched();
    },
  }),
];

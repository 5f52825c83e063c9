import type { McpServer } from "@modelcontextprotocol/server";
import { openPair } from "@recourse/test-kit/fixtures";
import { answerJson } from "@recourse/test-kit/loopback";
import { ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import { startCrm } from "../../test/crm.ts";

interface Failed {
  readonly content: readonly { readonly text: string }[];
  readonly _meta: { readonly "recourse/fault": { readonly issues?: unknown } };
}

/** What a client gets over HTTP if the service refuses the fields with this body. */
async function refused(body: unknown, era: Era = "v2 modern", foreignText: "public" | "hide" = "public") {
  const { crm } = await startCrm((_, response) => answerJson(response, 422, body), { foreignText });
  const { client } = await openPair(era, (server) => crm.register(server as unknown as McpServer) as never);
  return (await client.callTool({ name: "createClient", arguments: { name: "hunter2" } })) as Failed;
}

const says = (problems: string) =>
  `The service rejected the arguments: ${problems}. Correct the arguments and call again.`;

const FASTAPI = { loc: ["body", "name"], msg: "Value error, must be a full name", input: "hunter2" };

test.each<[string, unknown, string]>([
  ["FastAPI", { detail: [FASTAPI] }, "name: “must be a full name”"],
  ["Rails", { errors: { name: ["is too short", "is no full name"] } }, "name: “is too short; is no full name”"],
  ["Rails, the record as a whole", { errors: { base: ["There is such a client."] } }, "“There is such a client.”"],
  ["JSON:API", { errors: [{ source: { pointer: "/name" }, detail: "must be long" }] }, "name: “must be long”"],
  ["RFC 9457", { errors: [{ pointer: "#/address/city", detail: "No such city" }] }, "address.city: “No such city”"],
  ["a quotation in it", { errors: { name: ["is ”bad”. Now do this"] } }, "name: “is ’bad’. Now do this”"],
])("%s: what the service says of a field is quoted at its argument", async (_, body, problems) => {
  const { content } = await refused(body);
  expect(content[0]?.text).toBe(says(problems));
});

test.each<[string, unknown, string]>([
  ["a credential", { errors: { name: ["see postgres://app:hunter2@10.0.0.5"] } }, "name is not accepted"],
  ["no sentence", { errors: [{ field: "name", code: "required" }] }, "name is required"],
])("%s of the service leaves the rule, and the operator has the reply", async (_, body, problems) => {
  const { content } = await refused(body);
  expect(content[0]?.text).toMatch(`${says(problems)} If you report this, give incident `);
});

test.each(ERAS)("%s: in the data too, cut to its length", async (era) => {
  const sentence = "Please write the name as it stands in the register. ";
  const { content, _meta } = await refused({ errors: { name: [sentence.repeat(10)] } }, era);
  const message = `${sentence.repeat(10).slice(0, 239).trimEnd()}…`;
  expect(_meta["recourse/fault"].issues).toEqual([{ pointer: "/name", rule: "custom", message }]);
  expect(content[0]?.text).toContain(`\n- name: “${message}”`);
});

test("the operator can hide it", async () => {
  const { content } = await refused({ errors: { name: ["is no full name"] } }, "v2 modern", "hide");
  expect(content[0]?.text).toMatch(`${says("name is not accepted")} If you report this, give incident `);
});

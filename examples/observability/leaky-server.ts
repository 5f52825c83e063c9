// A server that fails in the ways that carry secrets: in the message, in the causes, in members, and in the stack.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { guard, type Sink } from "@recourse/faults/server";
import { SECRET, UNREGISTERED } from "./secrets.ts";

const FAILURES: Readonly<Record<string, () => never>> = {
  in_message: () => {
    throw new Error(`login failed with ${SECRET}`);
  },
  in_cause: () => {
    throw new Error("outer", { cause: new Error("inner", { cause: new Error(`below ${SECRET}`) }) });
  },
  in_members: () => {
    const config = { headers: { authorization: `Bearer ${SECRET}` }, data: SECRET };
    throw Object.assign(new Error("request failed"), { config, response: { body: SECRET }, errors: [SECRET] });
  },
  in_stack: () => {
    const error = new Error("odd");
    error.stack = `Error: odd\n    at connect (/srv/db.js?key=${SECRET}:1:1)\n    at run (/srv/run.js:2:2)`;
    throw error;
  },
  in_name: () => {
    const error = new Error("odd");
    error.name = `Denied(${SECRET})`;
    throw error;
  },
  encoded: () => {
    throw new Error(`GET /login?p=${Buffer.from(SECRET).toString("base64")} failed`);
  },
  aggregated: () => {
    throw new AggregateError([new Error(SECRET)], "all failed");
  },
  unregistered: () => {
    throw new Error(`connect ECONNREFUSED ${UNREGISTERED}`);
  },
  thrown_text: () => {
    throw `no access with ${SECRET}`;
  },
};
export const TOOLS: readonly string[] = Object.keys(FAILURES);

/** Calls every tool of the server, and returns what the caller got, as text. */
export async function callAll(sink: Sink): Promise<string> {
  const server = guard(new McpServer({ name: "leaky", version: "1.0.0" }), { sink });
  for (const [name, fail] of Object.entries(FAILURES)) server.registerTool(name, {}, async () => fail());
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "try", version: "1.0.0" });
  await client.connect(near);
  const answers = [];
  for (const name of TOOLS) answers.push(await client.callTool({ name }));
  await client.close();
  return JSON.stringify(answers);
}

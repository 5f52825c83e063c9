import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expectNoLeak } from "@recourse/faults/testing";
import { afterAll, expect, test } from "vitest";
import { connected } from "./connected.ts";
import { createServer, openCrm } from "./rest-api.ts";

const KEY = "key-of-this-server-4711";
const LEAK = "postgres://app:hunter2@10.0.0.5/crm";

/** What the CRM answers: to a name of a client, a status with a body that was not meant for anybody. */
const REPLIES: Readonly<Record<string, readonly [status: number, headers?: Record<string, string>]>> = {
  ada: [200],
  missing: [404],
  busy: [429, { "retry-after": "2" }],
  refused: [401],
  broken: [500],
  frozen: [422],
};
const asked: IncomingMessage[] = [];
const upstream = createHttpServer(async (request, response) => {
  asked.push(request);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { name = request.url?.split("/").at(-1) } = JSON.parse(Buffer.concat(chunks).toString() || "{}");
  const [status, headers] = REPLIES[name] ?? [404];
  const body = status === 200 ? { id: "1", name } : { message: LEAK };
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
});
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
const server = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/api`;
const crm = await openCrm(KEY, { server, network: { allowPrivate: ["127.0.0.0/8"] } });
const { client, close } = await connected(() => createServer(crm));
afterAll(async () => {
  await close();
  await crm.close();
  upstream.closeAllConnections();
  upstream.close();
});

async function said(name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  expectNoLeak(result, [LEAK, "hunter2", KEY]);
  const [block] = result.content as readonly { readonly text?: string }[];
  return block?.text?.replace(/ Incident \w+\./, "");
}

test.each([
  ["getClient", { id: "ada" }, '{"id":"1","name":"ada"}'],
  [
    "getClient",
    { id: "missing" },
    "It does not exist, or it is not accessible. Choose another one; the same call will fail again. [not_found rest/not_found]",
  ],
  [
    "getClient",
    { id: "busy" },
    "The rate limit is reached. The same call may be repeated after 2 s. [rate_limited core/rate_limited]",
  ],
  [
    "getClient",
    { id: "refused" },
    "The service behind this tool is not available at the moment. Do not repeat this call. [unavailable rest/upstream_auth]",
  ],
  [
    "createClient",
    { name: "broken" },
    "The service behind this tool reported a failure of its own. It may have taken effect. Look at the current state before repeating it. [upstream_failed rest/upstream_failed]",
  ],
  [
    "createClient",
    { name: "frozen" },
    "The workspace is frozen, so nothing can be added to it. Ask the user; the call cannot succeed without a person. [precondition_failed workspace/frozen]",
  ],
])("%s %j", async (name, args, text) => {
  expect(await said(name, args)).toBe(text);
});

test("a path cannot be left", async () => {
  const before = asked.length;
  expect(await said("getClient", { id: "../keys" })).toMatch(/^The arguments of the tool "getClient" are not valid\./);
  expect(asked).toHaveLength(before);
});

test("the key of a call is sent where the operation takes one", async () => {
  const _meta = { "recourse/call": { id: "1", attempt: 1, key: "order-7" } };
  await client.callTool({ name: "createClient", arguments: { name: "ada" }, _meta });
  expect(asked.at(-1)?.headers["idempotency-key"]).toBe("order-7");
});

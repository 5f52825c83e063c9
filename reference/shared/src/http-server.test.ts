import { once } from "node:events";
import { Agent, request } from "node:http";
import type { AddressInfo } from "node:net";
import { guardHandler } from "@recourse/faults/server";
import { afterEach, expect, test } from "vitest";
import { type RequestHandler, readHosts, serve } from "./http-server.ts";

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function start(handle: RequestHandler): Promise<string> {
  const server = serve(handle).listen(0, "127.0.0.1");
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent?: Agent;
}

/** The status and the local port: two answers with the same port came over one connection. */
async function send(url: string, { method = "POST", headers = {}, body = "", agent }: Sent) {
  const sent = request(url, { method, agent, headers: { "content-type": "application/json", ...headers } });
  sent.end(body);
  const [answer] = await once(sent, "response");
  const { localPort } = answer.socket;
  await answer.resume().toArray();
  return { status: answer.statusCode as number, localPort: localPort as number };
}

const hosts = readHosts();
const guarded = guardHandler(async () => Response.json({ jsonrpc: "2.0", id: 1, result: {} }), {
  allowedHosts: hosts,
  allowedOrigins: hosts,
  body: { maxBytes: 1_000 },
}) as RequestHandler;

test("a connection is used again after a refused body", async () => {
  const url = await start(guarded);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  open.push({ close: () => agent.destroy() });
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const refused = await send(url, { body: JSON.stringify("x".repeat(6_000_000)), agent });
  const next = await send(url, { body: message, agent });
  expect([refused.status, next.status]).toEqual([413, 200]);
  expect(next.localPort).toBe(refused.localPort);
});

test.each([
  ["host", "evil.example"],
  ["origin", "https://evil.example"],
])("the guard sees the %s", async (name, value) => {
  expect((await send(await start(guarded), { headers: { [name]: value } })).status).toBe(403);
});

test("methods that a web request cannot have are answered", async () => {
  expect((await send(await start(guarded), { method: "TRACE" })).status).toBe(405);
});

test("a handler learns where a request came from", async () => {
  const url = await start(
    async (_, { incoming }) =>
      new Response(null, { status: incoming.socket.remoteAddress === "127.0.0.1" ? 204 : 500 }),
  );
  expect((await send(url, {})).status).toBe(204);
});

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

test.each([
  [undefined, LOCAL],
  ["", LOCAL],
  ["api.example.com", [...LOCAL, "api.example.com"]],
  [" a.example , b.example:8443,", [...LOCAL, "a.example", "b.example:8443"]],
])("%j", (listed, hosts) => {
  expect(readHosts(listed)).toEqual(hosts);
});

import { afterEach, expect, it } from "vitest";
import { type RawServer, sendJson, startRawServer } from "./support/raw-server.ts";
import { callOf, textOf, upstreamAt } from "./support/upstream.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function serve(...given: Parameters<typeof startRawServer>): Promise<RawServer> {
  const server = await startRawServer(...given);
  open.push(server);
  return server;
}

function reach(...given: Parameters<typeof upstreamAt>) {
  const upstream = upstreamAt(...given);
  open.push(upstream);
  return upstream;
}

const ready = new AbortController().signal;

it("asks for the era once, and keeps what the server says about itself", async () => {
  const server = await serve((response) => sendJson(response, '{"jsonrpc":"2.0","id":7,"result":{}}'));
  const upstream = reach(server.url);
  expect(upstream.about).toBeUndefined();
  const waited = upstream.ready(ready);
  expect(waited).toBeInstanceOf(Promise);
  await expect(waited).resolves.toBe("2026-07-28");
  expect(upstream.ready(ready)).toBe("2026-07-28");
  expect(upstream.about).toEqual({ capabilities: { tools: {} }, instructions: "Ask." });
});

it("sends the params as they are, with the headers of the message and its own credential", async () => {
  const server = await serve((response) => sendJson(response, '{"jsonrpc":"2.0","id":7,"result":{"n":1e400}}'));
  const upstream = reach(server.url, { credential: { kind: "bearer", token: "of-the-gateway" } });
  const args = '{"n":12345678901234567890, "big":1e400,"s":"\\u00e4\\/","d":1,"d":2}';
  const reply = await upstream.send(callOf("search", args));
  expect(textOf(reply)).toBe('{"jsonrpc":"2.0","id":7,"result":{"n":1e400}}');
  const [request] = server.requests;
  expect(request?.body).toContain(
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":${args},`,
  );
  expect(request?.headers).toMatchObject({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "accept-encoding": "identity",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "search",
    authorization: "Bearer of-the-gateway",
  });
});

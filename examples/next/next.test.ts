import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { recourse } from "@recourse/faults/client";

const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CI: "1", NODE_ENV: "production" as const };
const next = "node_modules/next/dist/bin/next";
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const known = { ...json, authorization: "Bearer secret-of-ada" };
const LEAKS = /<html|<!doctype|\bat .*\.(?:js|ts|mjs):\d|node_modules|hunter2|evil/i;

let server: ChildProcess;
let url: URL;

before(async () => {
  const built = spawnSync(process.execPath, [next, "build"], { env, encoding: "utf8" });
  assert.equal(built.status, 0, built.stdout + built.stderr);
  server = spawn(process.execPath, [next, "start", "--hostname", "127.0.0.1", "--port", "0"], { env });
  let printed = "";
  for await (const chunk of server.stdout ?? []) {
    printed += String(chunk);
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
    if (port !== undefined && /Ready/.test(printed)) {
      url = new URL(`http://127.0.0.1:${port}/mcp`);
      break;
    }
  }
  server.stdout?.resume();
  assert.ok(url, printed);
});
after(async () => {
  if (server.exitCode !== null) return;
  server.kill();
  await once(server, "exit");
});

test("serves the official client, with the caller and our faults", async () => {
  const client = new Client({ name: "c", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: known } }));
  const mcp = recourse(client);
  const who = await mcp.call("whoami", {});
  assert.deepEqual(who.ok && who.result.content, [{ type: "text", text: "ada" }]);
  const failed = await mcp.call("cancel_order", { order: 9 });
  assert.equal(!failed.ok && failed.fault.kind, "not_found");
  await client.close();
});

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
const refused = [
  { what: "no credential", headers: json, status: 401, reason: "auth/unauthorized" },
  { what: "a foreign Host", headers: { ...known, host: "evil.example" }, status: 403, reason: "auth/access_denied" },
  {
    what: "a foreign Origin",
    headers: { ...known, origin: "https://evil.example" },
    status: 403,
    reason: "auth/access_denied",
  },
  { what: "broken JSON", headers: known, body: "{hunter2", status: 400, reason: "protocol/parse_error" },
  {
    what: "a large body",
    headers: known,
    body: "x".repeat(4_200_000),
    status: 413,
    reason: "content/message_too_large",
  },
  {
    what: "a wrong type",
    headers: { ...known, "content-type": "text/plain" },
    status: 415,
    reason: "content/invalid_type",
  },
  { what: "a wrong method", headers: known, method: "PUT", status: 405, reason: "protocol/http_method" },
];

for (const { what, status, reason, method = "POST", headers, body = list } of refused) {
  test(`answers ${what}`, async () => {
    const sent = request(url, { method, headers: { ...headers, "content-length": String(body.length) } });
    sent.end(body);
    const [received] = await once(sent, "response");
    let text = "";
    for await (const chunk of received) text += String(chunk);
    const fault = JSON.parse(text).error?.data?.["recourse/fault"];
    assert.deepEqual([received.statusCode, fault?.reason], [status, reason]);
    assert.equal(received.headers["www-authenticate"], status === 401 ? "Bearer" : undefined);
    assert.doesNotMatch(text, LEAKS);
  });
}

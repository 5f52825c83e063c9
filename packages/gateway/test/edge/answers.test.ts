import type { Incident } from "@recourse/core/server";
import { describe, expect, test } from "vitest";
import type { DialectName } from "../../src/config/types.ts";
import type { GatewayIncident } from "../../src/incidents/incidents.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho, MODERN_META, modernHeaders, post } from "../support/post.ts";
import { sendJson, startStubUpstream } from "../support/stub-upstream.ts";

const KEY = "rk_test_0123456789abcdef0123456789abcdef";
const SHA256 = "7715dd49c0b15f3a7228a3a09c0b9a511a0017c560e814929954058dfad12260";

/** A call of the older era, to an upstream that answers 500. */
const LEGACY_CALL = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"up__echo"}}';

async function failing() {
  return startStubUpstream((_, response) => sendJson(response, "<h1>broken</h1>", 500));
}

test("a failed call is a tool result with HTTP 200, typed in the newer era only", async () => {
  const stub = await failing();
  const incidents: Incident[] = [];
  const gateway = await startTestGateway(
    { upstreams: [httpUpstream(stub.url)] },
    { sink: (incident) => incidents.push(incident) },
  );
  const modern = await callEcho(gateway.url);
  expect(modern.status).toBe(200);
  expect(modern.json()).toMatchObject({ id: 1, result: { resultType: "complete", isError: true } });
  const legacy = await post(gateway.url, LEGACY_CALL);
  expect(legacy.status).toBe(200);
  expect(legacy.json()).toMatchObject({ id: 5, result: { isError: true } });
  expect(legacy.json().result).not.toHaveProperty("resultType");
  // What the caller cannot mend is an incident, by the id that the caller was given.
  const sent = (modern.json().result as { _meta: Record<string, { incident?: string; at?: string }> })._meta[
    "recourse/fault"
  ];
  expect(sent?.incident).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect(incidents.map(({ fault }) => fault.incident)).toContain(sent?.incident);
  expect(incidents[0]).toMatchObject({ method: "tools/call", tool: "up__echo", isError: true });
  // What is kept is the text that was sent.
  const texts = [modern, legacy].map((one) => (one.json().result as { content: { text: string }[] }).content[0]?.text);
  expect(incidents.map((one) => (one as GatewayIncident).sentText)).toEqual(texts);
});

test("an unknown tool is a JSON-RPC error with HTTP 200", async () => {
  const stub = await startStubUpstream();
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const body = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nope","_meta":{${MODERN_META}}}}`;
  const answer = await post(gateway.url, body, modernHeaders("tools/call", "nope"));
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({ id: 3, error: { code: -32602 } });
});

test("an unknown method has the status of its era", async () => {
  const gateway = await startTestGateway();
  const body = `{"jsonrpc":"2.0","id":3,"method":"no/such","params":{"_meta":{${MODERN_META}}}}`;
  const modern = await post(gateway.url, body, modernHeaders("no/such"));
  expect(modern.status).toBe(404);
  expect(modern.json()).toMatchObject({ id: 3, error: { code: -32601 } });
  const legacy = await post(gateway.url, '{"jsonrpc":"2.0","id":3,"method":"no/such"}');
  expect(legacy.status).toBe(200);
  expect(legacy.json()).toMatchObject({ id: 3, error: { code: -32601 } });
});

test("the deadline of a caller that has passed is not spent on the upstream", async () => {
  const stub = await startStubUpstream();
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const meta = `${MODERN_META},"recourse/call":{"id":"a","attempt":1,"deadlineMs":0}`;
  const body = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"up__echo","_meta":{${meta}}}}`;
  const answer = await post(gateway.url, body, modernHeaders("tools/call", "up__echo"));
  expect(answer.json().result).toMatchObject({
    isError: true,
    _meta: { "recourse/fault": { reason: "transport/not_sent" } },
  });
  expect(stub.received).toEqual([]);
});

test("a session is offered to callers of the older era", async () => {
  const gateway = await startTestGateway();
  const params = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}';
  const answer = await post(gateway.url, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`);
  expect(answer.json().result).toMatchObject({ protocolVersion: "2025-11-25" });
  expect(answer.headers["mcp-session-id"]).toMatch(/^[\x21-\x7e]{50,199}$/);
});

describe("the dialect of a key", () => {
  const keyOf = (dialect: DialectName | undefined) => ({
    id: "k",
    tenant: "t",
    sha256: SHA256,
    tools: ["*"],
    scopes: [],
    entitlements: [],
    dialect,
  });

  test.each([
    ["closient", { result: { isError: true, error: { code: -32300, data: { error_code: "internal_error" } } } }],
    ["onx", { result: { isError: true, error: { code: 4001, retryable: false } } }],
    ["erlmcp", { error: { code: -32031, data: { tool: "up__echo" } } }],
    ["qaqnuz", { result: { isError: true, _meta: { "recourse/error_class": "dependency" } } }],
    ["platica", { result: { isError: true, structuredContent: { code: 502 } } }],
  ] as const)("%s writes the failure of a call", async (dialect, shape) => {
    const stub = await failing();
    const gateway = await startTestGateway({
      upstreams: [httpUpstream(stub.url)],
      authentication: "required",
      keys: [keyOf(dialect)],
    });
    const headers = { "content-type": "application/json", authorization: `Bearer ${KEY}` };
    const answer = await post(gateway.url, LEGACY_CALL, headers);
    const plain = JSON.stringify(answer.json());
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ id: 5, ...shape });
    expect(plain).not.toContain("broken");
    expect(plain).not.toContain(KEY);
    // A header cannot choose another one.
    const other = await post(gateway.url, LEGACY_CALL, { ...headers, "x-recourse-dialect": "mcp" });
    expect(Object.keys(other.json())).toEqual(Object.keys(answer.json()));
  });

  test.each(["closient", "onx"] as const)("%s: a tool that does not exist has no schema", async (dialect) => {
    const stub = await startStubUpstream();
    const gateway = await startTestGateway({
      upstreams: [httpUpstream(stub.url)],
      authentication: "required",
      keys: [keyOf(dialect)],
    });
    const headers = { "content-type": "application/json", authorization: `Bearer ${KEY}` };
    const { result } = (await post(gateway.url, LEGACY_CALL.replace("up__echo", "nope"), headers)).json() as {
      readonly result: Record<string, unknown>;
    };
    expect(result["structuredContent"]).toEqual({ error: result["error"] });
  });
});

// Callers that put more into a call than the approver reads, than the key was used for, or than the protocol knows.
import { describe, expect, it } from "vitest";
import { ADMIN, ask } from "../admin/support.ts";
import { faultIn, keyIn } from "../idempotency/support/call.ts";
import { keyed, OTHER } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callWithParams, paramsIn } from "../support/params-call.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";

const PAY = { name: '"up__pay"', arguments: '{"to":"ACME"}' };
const KEY = '"recourse/call":{"key":"order 7"}';
/** Members of the params that are none of the arguments, and that an upstream may act upon. */
const SMUGGLED = [
  ["inputResponses", '{"amount":{"action":"accept","content":{"amount":500}}}', "protocol/request_state_invalid"],
  ["requestState", '"amount=500"', "protocol/request_state_invalid"],
  ["amount", "500", "protocol/malformed_call"],
  ["task", '{"ttl":60000}', "protocol/malformed_call"],
  ["Arguments", '{"amount":500}', "protocol/malformed_call"],
] as const;

async function world(changes: Parameters<typeof keyed>[0] = {}) {
  const upstream = await startStubUpstream(undefined, ["pay", "other"]);
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)], ...changes }));
  return { upstream, gateway, url: gateway.url };
}

describe("a call that needs an approval", () => {
  const approvals = { tools: ["up__pay"], denied: [], expiresMs: 600_000, link: undefined };

  it.each(SMUGGLED)(
    "is refused where it carries %s beside its arguments, also with an approval",
    async (name, value, reason) => {
      const { upstream, gateway, url } = await world({ approvals, admin: ADMIN });
      const more = { ...PAY, [name]: value };
      expect(faultIn(await callWithParams(url, { params: more }))).toMatchObject({
        reason,
        effect: "none",
        issues: [{ pointer: `/${name}` }],
      });
      // A person approves what was shown, and then the caller adds to it.
      const { approval } = faultIn(await callWithParams(url, { params: PAY })).params ?? {};
      const admin = gateway.adminUrl ?? url;
      expect((await ask(admin, `/approvals/${String(approval)}`)).json).toMatchObject({
        tool: "up__pay",
        arguments: '{"to":"ACME"}',
      });
      await ask(admin, `/approvals/${String(approval)}/decision`, { method: "POST", body: { approve: true } });
      expect(faultIn(await callWithParams(url, { params: more })).reason).toBe(reason);
      expect(upstream.received).toHaveLength(0);

      expect((await callWithParams(url, { params: PAY, meta: '"amount":500' })).status).toBe(200);
      expect(upstream.received).toHaveLength(1);
      const { _meta: meta, ...params } = paramsIn(upstream.received[0]?.text);
      expect(params).toEqual({ name: "pay", arguments: { to: "ACME" } });
      expect(meta).not.toHaveProperty("amount");
    },
  );
});

describe("a call with a key", () => {
  it.each(SMUGGLED)("gets no stored answer where %s was added to it", async (name, value, reason) => {
    const { upstream, url } = await world();
    await callWithParams(url, { params: PAY, meta: KEY });
    const changed = await callWithParams(url, { params: { ...PAY, [name]: value }, meta: KEY });
    expect(faultIn(changed)).toMatchObject({ reason, effect: "none" });
    expect(upstream.received).toHaveLength(1);
  });

  it("says the same with empty arguments and with none, to the upstream too", async () => {
    const { upstream, url } = await world();
    const { name } = PAY;
    await callWithParams(url, { params: { name }, meta: KEY });
    const same = await callWithParams(url, { params: { name, arguments: "{}" }, meta: KEY });
    expect(same.json().result).toMatchObject({ content: [{ text: "ok" }] });
    expect(upstream.received.map(({ text }) => paramsIn(text)["arguments"])).toEqual([{}]);
  });
});

it("a call with a key or an approval has its arguments in its headers, whatever its caller writes there", async () => {
  const inputSchema = { type: "object", properties: { to: { type: "string", "x-mcp-header": "To" } } };
  const upstream = await startStubUpstream(undefined, [{ name: "pay", inputSchema }]);
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)] }));
  const headers = { "mcp-param-to": "MALLORY" };
  for (const meta of [KEY, '"progressToken":1']) {
    await callWithParams(gateway.url, { params: PAY, meta, headers });
  }
  // Where nothing was promised, the upstream judges the headers of the caller itself.
  expect(upstream.received.map((request) => request.headers["mcp-param-to"])).toEqual(["ACME", "MALLORY"]);
});

describe("any other call", () => {
  it("reaches its upstream with the members of its method only, each as it was written", async () => {
    const { upstream, url } = await world();
    const params = { amount: "500", task: "{}", arguments: '{ "n":1e400 }', name: '"up__pay"', Name: '"up__other"' };
    const meta = [
      '"progressToken":7',
      '"tracestate":"a=1"',
      '"baggage":"b=2"',
      '"amount":500',
      '"com.example/role":"admin"',
      '"io.modelcontextprotocol/related-task":{"taskId":"1"}',
      '"recourse/call":{"id":"i","attempt":2,"amount":500}',
    ].join();
    await callWithParams(url, { params, meta });
    const { text } = upstream.received[0] ?? { text: "" };
    expect(text).toContain('"arguments":{ "n":1e400 }');
    const { _meta: sent, ...rest } = paramsIn(text.replace("1e400", "1"));
    expect(rest).toEqual({ name: "pay", arguments: { n: 1 } });
    expect(Object.keys(sent as object).sort()).toEqual([
      "baggage",
      "io.modelcontextprotocol/clientCapabilities",
      "io.modelcontextprotocol/protocolVersion",
      "progressToken",
      "recourse/call",
      "tracestate",
    ]);
    expect((sent as Record<string, object>)["recourse/call"]).toEqual({
      id: "i",
      attempt: 2,
      deadlineMs: expect.any(Number),
    });
  });

  it.each(SMUGGLED.slice(0, 2))("is refused with %s that answers nothing", async (name, value, reason) => {
    const { upstream, url } = await world();
    const fault = faultIn(await callWithParams(url, { params: { ...PAY, [name]: value } }));
    expect(fault).toMatchObject({
      reason,
      effect: "none",
      issues: [{ pointer: `/${name}`, expected: expect.stringContaining("leave inputResponses and requestState out") }],
    });
    expect(upstream.received).toEqual([]);
  });
});

describe("an idempotency key", () => {
  it("is another one upstream for each caller and tool", async () => {
    const { upstream, url } = await world();
    await callWithParams(url, { meta: KEY });
    await callWithParams(url, { meta: KEY });
    await callWithParams(url, { meta: KEY, credential: OTHER });
    await callWithParams(url, { meta: KEY, target: "up__other" });
    const keys = upstream.received.map(({ text }) => keyIn(text));
    // The second call has the answer of the first.
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(keys).size).toBe(3);
  });

  it.each(['""', "1", "null", "{}", `"${"k".repeat(257)}"`])("is refused where it is %s", async (key) => {
    const { upstream, url } = await world();
    const fault = faultIn(await callWithParams(url, { meta: `"recourse/call":{"key":${key}}` }));
    expect(fault).toMatchObject({ reason: "protocol/malformed_call", effect: "none" });
    expect(upstream.received).toEqual([]);
  });

  it("is refused where nobody knows whose it is", async () => {
    const { upstream, url } = await world({ authentication: "none" });
    expect(faultIn(await callWithParams(url, { meta: KEY })).reason).toBe("idempotency/caller_unknown");
    expect((await callWithParams(url)).status).toBe(200);
    expect(upstream.received).toHaveLength(1);
  });
});

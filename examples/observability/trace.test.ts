import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Attributes, ReceivedSpan } from "./otlp-receiver.ts";
import { runStory, type Story, WAREHOUSE_KEY } from "./story.ts";
import { treeOf } from "./tree.ts";

const KIND = { internal: 1, server: 2, client: 3 };
let story: Story;
before(async () => {
  story = await runStory();
});

function spanOf(name: string, service: string): ReceivedSpan {
  const found = story.spans.filter((span) => span.name === name && span.service === service);
  assert.equal(found.length, 1, `${name} of ${service}: ${found.length}`);
  return found[0] as ReceivedSpan;
}

function pointsOf(service: string, metric: string): Record<string, number> {
  const found = story.metrics.filter((one) => one.service === service && one.name === metric);
  assert.equal(found.length, 1, `${metric} of ${service}`);
  const key = (attributes: Attributes) =>
    [attributes["gen_ai.tool.name"] ?? attributes["mcp.method.name"] ?? attributes["url.template"]]
      .concat(attributes["fault.kind"] ?? [])
      .join(" ");
  const entries = found.flatMap(({ points }) => points.map(({ attributes, value }) => [key(attributes), value]));
  return Object.fromEntries(entries);
}

describe("one trace across agent, MCP server and REST API", () => {
  it("is this tree", () => {
    assert.equal(
      treeOf(story.spans),
      `ship order 7  [agent]
├─ tools/list  [agent]
│  └─ tools/list  [agent]
│     └─ tools/list  [shop-server]
├─ execute_tool find_order  [agent]
│  └─ tools/call find_order  [agent]
│     └─ tools/call find_order  [shop-server]
├─ ✗ execute_tool find_order  [agent]                             tool/invalid_arguments
│  └─ ✗ tools/call find_order  [agent]                            tool/invalid_arguments
│     └─ ✗ tools/call find_order  [shop-server]                   tool/invalid_arguments
├─ execute_tool get_stock  [agent]
│  ├─ ✗ tools/call get_stock  [agent]                             adapter/unavailable
│  │  └─ ✗ tools/call get_stock  [shop-server]                    adapter/unavailable
│  │     └─ ✗ GET /stock/{sku}  [shop-server]                     adapter/unavailable 503
│  │        └─ ✗ GET /stock/{sku}  [warehouse-api]                503
│  └─ tools/call get_stock  [agent]
│     └─ tools/call get_stock  [shop-server]
│        └─ GET /stock/{sku}  [shop-server]
│           └─ GET /stock/{sku}  [warehouse-api]
└─ ✗ execute_tool create_shipment  [agent]                        rest/upstream_failed
   └─ ✗ tools/call create_shipment  [agent]                       rest/upstream_failed
      └─ ✗ tools/call create_shipment  [shop-server]              rest/upstream_failed
         └─ ✗ POST /shipments  [shop-server]                      rest/upstream_failed 500
            └─ ✗ POST /shipments  [warehouse-api]                 500`,
    );
  });

  it("has every span of the REST API and every tool call of the server", () => {
    const others = story.allSpans.filter((span) => !story.spans.includes(span));
    // The handshake of the SDK's client carries no trace.
    assert.deepEqual([...new Set(others.map(({ name }) => name))], ["initialize"]);
  });

  it("has spans of the right kind, with the fault as attributes", () => {
    const call = spanOf("execute_tool create_shipment", "agent");
    const sent = spanOf("tools/call create_shipment", "agent");
    const served = spanOf("tools/call create_shipment", "shop-server");
    const http = spanOf("POST /shipments", "shop-server");
    const kinds = [call, sent, served, http].map(({ kind }) => kind);
    assert.deepEqual(kinds, [KIND.internal, KIND.client, KIND.server, KIND.client]);
    const incident = story.learnt.at(-1)?.incident;
    assert.match(String(incident), /^[0-9A-Z]{26}$/);
    const mcp = {
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "create_shipment",
      "error.type": "tool_error",
    };
    const fault = {
      "fault.kind": "upstream_failed",
      "fault.class": "dependency",
      "fault.reason": "rest/upstream_failed",
      "fault.effect": "possible",
      "fault.origin": "upstream",
    };
    assert.deepEqual(served.attributes, { ...mcp, ...fault, "fault.incident": incident });
    assert.deepEqual(sent.attributes, { ...mcp, ...fault, "fault.incident": incident, "recourse.attempt": 1 });
    assert.deepEqual(call.attributes, { ...mcp, ...fault, "fault.incident": incident });
    assert.deepEqual(http.attributes, {
      "http.request.method": "POST",
      "url.template": "/shipments",
      "server.address": "127.0.0.1",
      "server.port": http.attributes["server.port"],
      "http.response.status_code": 500,
      "error.type": "500",
      ...fault,
    });
  });

  it("numbers the attempts of a call that was retried", () => {
    const attempts = story.spans.filter((span) => span.service === "agent" && span.name === "tools/call get_stock");
    assert.deepEqual(attempts.map(({ attributes }) => attributes["recourse.attempt"]).toSorted(), [1, 2]);
    assert.equal(spanOf("execute_tool get_stock", "agent").failed, false);
    assert.deepEqual(story.learnt[2], { tool: "get_stock", ok: true, attempts: 2 });
  });

  it("leads from the text of the model to the log of the server by the incident id", () => {
    const { text = "", incident = "" } = story.learnt.at(-1) ?? {};
    assert.ok(text.includes(incident), text);
    const lines = story.log.split("\n").filter((line) => line.includes(incident));
    assert.equal(lines.length, 1);
    const { tool, err } = JSON.parse(String(lines[0])) as { tool: string; err: { stack: string } };
    assert.equal(tool, "create_shipment");
    assert.match(err.stack, /[removed][\s\S]*at /);
  });
});

describe("metrics", () => {
  it("count faults by kind on both sides", () => {
    assert.deepEqual(pointsOf("shop-server", "recourse.server.faults"), {
      "find_order invalid_input": 1,
      "get_stock unavailable": 1,
      "create_shipment upstream_failed": 1,
    });
    // The failed attempt of get_stock is no failed call.
    assert.deepEqual(pointsOf("agent", "recourse.client.faults"), {
      "find_order invalid_input": 1,
      "create_shipment upstream_failed": 1,
    });
  });

  it("measure requests by the conventions", () => {
    const requests = {
      "tools/list": 1,
      find_order: 1,
      "find_order invalid_input": 1,
      get_stock: 1,
      "get_stock unavailable": 1,
      "create_shipment upstream_failed": 1,
    };
    assert.deepEqual(pointsOf("agent", "mcp.client.operation.duration"), requests);
    const { initialize: _handshake, ...served } = pointsOf("shop-server", "mcp.server.operation.duration");
    assert.deepEqual(served, requests);
    assert.deepEqual(pointsOf("shop-server", "http.client.request.duration"), {
      "/stock/{sku}": 1,
      "/stock/{sku} unavailable": 1,
      "/shipments upstream_failed": 1,
    });
  });

  it("have units, and no ids", () => {
    const units = Object.fromEntries(story.metrics.map(({ name, unit }) => [name, unit]));
    assert.deepEqual(units, {
      "mcp.client.operation.duration": "s",
      "mcp.server.operation.duration": "s",
      "http.client.request.duration": "s",
      "recourse.client.faults": "{fault}",
      "recourse.server.faults": "{fault}",
    });
    const keys = story.metrics.flatMap(({ points }) => points.flatMap(({ attributes }) => Object.keys(attributes)));
    assert.ok(!keys.some((key) => /incident|request_id|attempt/.test(key)), keys.join());
  });
});

describe("the secret in the answer of the REST API", () => {
  it("reaches neither the receiver nor the log nor the model", () => {
    assert.ok(!story.sent.includes(WAREHOUSE_KEY));
    assert.ok(!story.log.includes(WAREHOUSE_KEY));
    assert.ok(!JSON.stringify(story.learnt).includes(WAREHOUSE_KEY));
    assert.match(story.log, /[removed]/);
  });
});

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { formatId, stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import { headWith } from "../../test/support/head.ts";
import { Call } from "../call/call.ts";
import type { Upstream } from "../call/upstream.ts";
import type { GatewayConfig } from "../config/types.ts";
import { createObserver } from "./create-observer.ts";

const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

function configWith(telemetry: Partial<GatewayConfig["telemetry"]>): GatewayConfig {
  return {
    name: "test",
    store: { mode: "memory" },
    incidents: { keepMs: 86_400_000, samplesPerMinute: 20, callers: "digest", texts: "keep" },
    telemetry: { otlp: undefined, prometheus: true, logLevel: "info", ...telemetry },
  } as GatewayConfig;
}

function callTo(tool: string | undefined, method = "tools/call", meta: Record<string, unknown> = {}): Call {
  const origin = {
    head: headWith(),
    signal: new AbortController().signal,
    readBody: () => Promise.reject(),
    notify: () => {},
  };
  const call = new Call(origin, performance.now() - 5);
  const none = undefined;
  const spans = { id: none, params: none, target: none, arguments: none, meta: none, metaMembers: [] };
  call.message = { method, id: 1, params: {}, meta, bytes: Buffer.alloc(0), spans };
  if (tool === undefined) return call;
  const upstream = { options: { name: "shop" } } as Upstream;
  const facts = { readOnly: true, idempotent: true, hasOutputSchema: false, inputSchema: {}, cost: 1 };
  call.route = { kind: "upstream", upstream, target: tool, tool: { name: tool, ...facts } };
  return call;
}

async function collector() {
  const bodies: { readonly path: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    bodies.push({ path: request.url ?? "", body: await text(request) });
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    at: (path: string) =>
      bodies
        .filter((one) => one.path === path)
        .map((one) => one.body)
        .join("\n"),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

it("serves metrics for Prometheus: calls by tool and upstream, faults by kind, the store, and controls that are away", async () => {
  const observer = createObserver(configWith({ logLevel: "silent" }));
  const good = callTo("shop__find");
  observer.began(good);
  observer.ended(good, undefined);
  const bad = callTo("shop__find");
  observer.began(bad);
  observer.ended(bad, core.unavailable.fault());
  observer.switched("limits", "away", "closed");
  const lines = (await observer.metrics())?.split("\n") ?? [];
  const labels = 'mcp_method_name="tools/call",gen_ai_tool_name="shop__find"';
  expect(lines).toContain(`mcp_server_operation_duration_count{${labels},recourse_upstream="shop"} 1`);
  expect(lines).toContain(
    `mcp_server_operation_duration_count{${labels},recourse_upstream="shop",error_type="unavailable"} 1`,
  );
  expect(lines.find((line) => line.startsWith("recourse_server_faults_total{"))).toMatch(
    /fault_kind="unavailable".* 1$/,
  );
  expect(lines).toContain('recourse_store{mode="memory"} 1');
  expect(lines).toContain('recourse_control_away{control="limits"} 1');
  expect(lines).toContain("recourse_gateway_active_requests 0");
  observer.switched("limits", "back", "closed");
  expect(await observer.metrics()).toContain('recourse_control_away{control="limits"} 0');
  await observer.close();
});

it("keeps names that callers invent out of the metrics", async () => {
  const observer = createObserver(configWith({ logLevel: "silent" }));
  const invented = callTo(undefined, "evil/method");
  observer.began(invented);
  observer.ended(invented, core.unavailable.fault());
  expect(await observer.metrics()).not.toContain("evil");
  await observer.close();
});

it("serves no metrics where they are switched off", async () => {
  const observer = createObserver(configWith({ prometheus: false, logLevel: "silent" }));
  expect(await observer.metrics()).toBeUndefined();
  await observer.close();
});

it("writes lines that name the store, and incidents with their id", async () => {
  const lines: string[] = [];
  const observer = createObserver(configWith({}), { writeLine: (line) => void lines.push(line) });
  observer.log("info", "listening", { url: "http://127.0.0.1:1/mcp" });
  const incident = formatId(Date.parse("2026-01-02T03:04:05Z"), new Uint8Array(10));
  const fault = stampFault(core.internal.fault(), { incident });
  observer.sink({ fault, at: "2026-01-02T03:04:05.000Z", cause: new Error("disk full") });
  const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(first).toMatchObject({ level: "info", name: "test", store: "memory", message: "listening" });
  expect(second).toMatchObject({ level: "error", store: "memory", fault: { incident } });
  expect(JSON.stringify(second)).toContain("disk full");
  await observer.close();
});

it("writes its own name, whatever facts are named, and the caller as JSON", async () => {
  const lines: string[] = [];
  const base = configWith({ logLevel: "info" });
  const config = { ...base, incidents: { ...base.incidents, callers: "keep" } as const };
  const observer = createObserver(config, { writeLine: (line) => lines.push(line) });
  const why = "connect redis://:hunter2@10.0.0.5:6379 refused";
  observer.log("warn", "A name is left out", { upstream: "shop", name: "find", level: 3, why });
  const about = { tenant: "acme", upstream: "shop", sentText: "", upstreamIncident: undefined };
  const caller = '["key","acme","ci"]';
  const incident = { fault: core.internal.fault(), at: new Date().toISOString(), ...about, caller };
  observer.sink(incident);
  const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(first).toMatchObject({ level: "warn", name: "test", upstream: "shop", facts: { name: "find", level: 3 } });
  expect(first).toMatchObject({ why: "connect redis://:[removed]@10.0.0.5:6379 refused" });
  expect(second).toMatchObject({ caller: ["key", "acme", "ci"] });
  await observer.close();
});

describe("traces", () => {
  it("pass through as they are where nothing is exported", async () => {
    const observer = createObserver(configWith({ logLevel: "silent" }));
    expect(observer.traceparent(callTo("shop__find", "tools/call", { traceparent: TRACE }))).toBe(TRACE);
    expect(observer.traceparent(callTo("shop__find", "tools/call", { traceparent: "nonsense" }))).toBeUndefined();
    await observer.close();
  });

  it("are continued by a span of the gateway, and sent with metrics and logs", async () => {
    const receiver = await collector();
    const observer = createObserver(configWith({ otlp: receiver.url, logLevel: "silent" }));
    const call = callTo("shop__find", "tools/call", { traceparent: TRACE });
    observer.began(call);
    const next = observer.traceparent(call) ?? "";
    expect(next).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    expect(next).not.toBe(TRACE);
    observer.ended(call, core.timeout.fault({ timeoutMs: 5 }));
    observer.log("warn", "something happened");
    const fault = stampFault(core.internal.fault(), { incident: formatId(Date.now(), new Uint8Array(16)) });
    const about = { tenant: "acme", caller: "ann", upstream: "shop", sentText: fault.message };
    const incident = { fault, at: new Date().toISOString(), method: "tools/call", tool: "shop__find", ...about };
    observer.sink(incident);
    await observer.close();
    const spans = receiver.at("/v1/traces");
    expect(spans).toContain('"name":"tools/call shop__find"');
    expect(spans).toContain('"parentSpanId":"b7ad6b7169203331"');
    expect(spans).toContain(`"spanId":"${next.slice(36, 52)}"`);
    expect(spans).toContain('"fault.kind"');
    expect(receiver.at("/v1/metrics")).toContain("mcp.server.operation.duration");
    const logs = receiver.at("/v1/logs");
    expect(logs).toContain("something happened");
    for (const [key, stringValue] of [
      ["fault.incident", fault.incident],
      ["fault.reason", "core/internal"],
      ["fault.kind", "internal"],
      ["gen_ai.tool.name", "shop__find"],
      ["recourse.upstream", "shop"],
    ]) {
      expect(logs).toContain(JSON.stringify({ key, value: { stringValue } }));
    }
    // The configuration keeps callers as a digest.
    expect(logs).not.toContain("ann");
    expect(logs).toContain("sha256:");
    receiver.close();
  });
});

// The API of OpenTelemetry is not a dependency: a small one of its shape stands in for it here. examples/observability runs
// the same with the real SDK.
import { AsyncLocalStorage } from "node:async_hooks";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { recourse } from "../client/recourse.ts";
import { fail } from "../reasons/fail.ts";
import { unavailable } from "../reasons/library/core.ts";
import { guard } from "../server/guard.ts";
import { type OpenTelemetryOptions, openTelemetry } from "./open-telemetry.ts";
import type { OpenTelemetryApi, OtelAttributes, OtelSpan, OtelSpanOptions } from "./otel.ts";

interface TestContext {
  readonly span?: { spanContext(): { traceId: string; spanId: string; traceFlags: number } };
}
interface TestSpan {
  name: string;
  readonly id: string;
  readonly trace: string;
  readonly parent: string | undefined;
  readonly links: readonly string[];
  readonly attributes: OtelAttributes;
  status?: { code: number; message?: string };
  ended: number;
}

function observed() {
  const spans: TestSpan[] = [];
  const points: [string, OtelAttributes][] = [];
  const active = new AsyncLocalStorage<TestContext>();
  const contextOf = (trace: string, span: string): TestContext => ({
    span: { spanContext: () => ({ traceId: trace, spanId: span, traceFlags: 1 }) },
  });
  const startSpan = (name: string, options: OtelSpanOptions = {}, context: TestContext = {}): OtelSpan => {
    const parent = context.span?.spanContext();
    const id = `s${spans.length + 1}`;
    const span: TestSpan = {
      name,
      id,
      trace: parent?.traceId ?? `t${spans.length + 1}`,
      parent: parent?.spanId,
      links: options.links?.map(({ context: { spanId } }) => spanId) ?? [],
      attributes: { ...options.attributes },
      ended: 0,
    };
    spans.push(span);
    return {
      spanContext: () => ({ traceId: span.trace, spanId: id, traceFlags: 1 }),
      setAttributes: (attributes) => Object.assign(span.attributes, attributes),
      setStatus: (status) => Object.assign(span, { status }),
      updateName: (changed) => Object.assign(span, { name: changed }),
      end: () => {
        span.ended += 1;
      },
    };
  };
  const point = (name: string) => (_value: number, attributes: OtelAttributes) => void points.push([name, attributes]);
  const api: OpenTelemetryApi = {
    trace: {
      getTracer: () => ({ startSpan }),
      getSpan: (context: TestContext) => context.span,
      setSpan: (_, span) => ({ span }),
    },
    context: { active: () => active.getStore() ?? {}, with: (context, run) => active.run(context, run) },
    propagation: {
      inject: (context: TestContext, carrier) => {
        const { traceId, spanId } = context.span?.spanContext() ?? {};
        Object.assign(carrier, { traceparent: `00-${traceId}-${spanId}-01` });
      },
      extract: (context, carrier) => {
        const [, trace, span] = String((carrier as { traceparent?: string }).traceparent ?? "").split("-");
        return trace === undefined || span === undefined ? context : contextOf(trace, span);
      },
    },
    metrics: {
      getMeter: () => ({
        createHistogram: (name) => ({ record: point(name) }),
        createCounter: (name) => ({ add: point(name) }),
      }),
    },
  };
  return { api, spans, points, inside: <T>(run: () => T) => active.run(contextOf("ambient", "http"), run) };
}

async function connected(api: OpenTelemetryApi, options: OpenTelemetryOptions = {}) {
  const telemetry = openTelemetry(api, options);
  const server = guard(new McpServer({ name: "test", version: "1.0.0" }), { telemetry, sink: () => undefined });
  server.registerTool("works", {}, async () => ({ content: [] }));
  server.registerTool("fails", {}, async () => {
    throw fail.conflict`Order 7 has changed.`;
  });
  server.registerTool("marks", {}, async () => ({ content: [{ type: "text", text: "no" }], isError: true }));
  server.registerPrompt("greets", {}, async () => ({ messages: [] }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(near);
  return { client, mcp: recourse(client, { telemetry }) };
}

const ofCalls = (spans: readonly TestSpan[]) => spans.filter(({ name }) => name !== "initialize");

describe("openTelemetry", () => {
  it("makes one trace of a call, its attempt and the request at the server", async () => {
    const { api, spans, points } = observed();
    const { mcp } = await connected(api);
    spans.length = 0;
    points.length = 0;
    await mcp.call("fails");
    const [call, sent, served] = spans as [TestSpan, TestSpan, TestSpan];
    expect(spans.map(({ name }) => name)).toEqual(["execute_tool fails", "tools/call fails", "tools/call fails"]);
    expect([sent.parent, served.parent]).toEqual([call.id, sent.id]);
    expect(new Set(spans.map(({ trace }) => trace)).size).toBe(1);
    expect(spans.map(({ ended }) => ended)).toEqual([1, 1, 1]);
    const failed = { "error.type": "tool_error", "fault.kind": "conflict", "gen_ai.tool.name": "fails" };
    for (const { attributes, status } of spans) {
      expect(attributes).toMatchObject(failed);
      expect(status).toEqual({ code: 2, message: expect.any(String) });
    }
    expect(sent.attributes["recourse.attempt"]).toBe(1);
    expect(points.map(([name]) => name).toSorted()).toEqual([
      "mcp.client.operation.duration",
      "mcp.server.operation.duration",
      "recourse.client.faults",
      "recourse.server.faults",
    ]);
    for (const [, attributes] of points) expect(attributes).toMatchObject(failed);
  });

  it("leaves a call that succeeds without status and faults", async () => {
    const { api, spans, points } = observed();
    const { mcp } = await connected(api);
    points.length = 0;
    await mcp.call("works");
    for (const { status, attributes } of ofCalls(spans)) {
      expect(status).toBeUndefined();
      expect(attributes).not.toHaveProperty("error.type");
    }
    expect(points.map(([name]) => name)).not.toContain("recourse.server.faults");
  });

  it("marks a result that the handler itself called an error", async () => {
    const { api, spans } = observed();
    const { client } = await connected(api);
    await client.callTool({ name: "marks" });
    expect(spans.at(-1)).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "tool_error" } });
  });

  it("keeps names that callers make up out of span names and metrics", async () => {
    const { api, spans, points } = observed();
    const { mcp } = await connected(api);
    points.length = 0;
    await mcp.call("made-up-4711");
    expect(ofCalls(spans).map(({ name }) => name)).toEqual(["execute_tool", "tools/call", "tools/call"]);
    expect(JSON.stringify(points)).not.toContain("made-up-4711");
  });

  it.each([
    ["a prompt that does not exist", { method: "prompts/get", params: { name: "made-up-4711" } }],
    ["arguments that are none", { method: "tools/call", params: { name: "made-up-4711", arguments: 7 } }],
  ])("keeps the name of %s out of span names and metrics", async (_, request) => {
    const { api, spans, points } = observed();
    const { client } = await connected(api);
    await expect(client.request(request as never, z.any() as never)).rejects.toThrow();
    expect(spans.at(-1)?.name).toBe(request.method);
    expect(JSON.stringify(points)).not.toContain("made-up-4711");
  });

  it("links the span of the transport, and with continueTraces: false the caller's", async () => {
    const meta = { traceparent: "00-theirs-caller-01", other: 7, tracestate: { hostile: true } };
    const request = { what: "request", side: "server", method: "tools/list", meta } as const;
    const continued = observed();
    await continued.inside(() => openTelemetry(continued.api).run(request, async () => undefined));
    expect(continued.spans).toMatchObject([{ trace: "theirs", parent: "caller", links: ["http"] }]);
    const own = observed();
    const telemetry = openTelemetry(own.api, { continueTraces: false });
    await own.inside(() => telemetry.run(request, async () => undefined));
    expect(own.spans).toMatchObject([{ trace: "ambient", parent: "http", links: ["caller"] }]);
  });

  it("has the path of a REST API and not its address, and the status as the type of the error", async () => {
    const { api, spans, points } = observed();
    const address = new URL("https://user:pass@api.example.com/v1?key=secret");
    const operation = { what: "http", side: "client", method: "GET", name: "/stock/{sku}", address } as const;
    await openTelemetry(api).run(operation, async (span) => {
      expect(span.context).toEqual({ traceparent: "00-t1-s1-01" });
      span.answered(503);
      span.failed(unavailable.fault());
    });
    expect(spans).toMatchObject([
      {
        name: "GET /stock/{sku}",
        attributes: {
          "server.address": "api.example.com",
          "server.port": 443,
          "http.response.status_code": 503,
          "error.type": "503",
        },
      },
    ]);
    expect(JSON.stringify([spans, points])).not.toMatch(/pass|secret/);
    expect(points.map(([name]) => name)).toEqual(["http.client.request.duration"]);
  });

  it.each(["setSpan", "inject", "with", "now"])("ends the span when %s throws", async (broken) => {
    const { api, spans } = observed();
    const thrower = () => {
      throw new Error("broken telemetry");
    };
    const patched: OpenTelemetryApi = {
      ...api,
      trace: { ...api.trace, ...(broken === "setSpan" && { setSpan: thrower }) },
      context: { ...api.context, ...(broken === "with" && { with: thrower }) },
      propagation: { ...api.propagation, ...(broken === "inject" && { inject: thrower }) },
    };
    const telemetry = openTelemetry(patched, broken === "now" ? { testing: { clock: { monotonic: thrower } } } : {});
    expect(await telemetry.run({ what: "call", side: "client", method: "x" }, async () => "answer")).toBe("answer");
    expect(spans).toMatchObject([{ ended: 1 }]);
  });

  it.each(["getTracer", "with", "inject", "getMeter", "setStatus"])(
    "runs the work exactly once when %s throws",
    async (broken) => {
      const { api } = observed();
      const thrower = () => {
        throw new Error("broken telemetry");
      };
      const patched: OpenTelemetryApi = {
        trace: { ...api.trace, ...(broken === "getTracer" && { getTracer: thrower }) },
        context: { ...api.context, ...(broken === "with" && { with: thrower }) },
        propagation: { ...api.propagation, ...(broken === "inject" && { inject: thrower }) },
        metrics: broken === "getMeter" ? { getMeter: thrower } : api.metrics,
      };
      let runs = 0;
      const operation = { what: "request", side: "client", method: "tools/list" } as const;
      const result = await openTelemetry(patched).run(operation, async (span) => {
        runs += 1;
        span.failed(broken === "setStatus" ? (undefined as never) : unavailable.fault());
        return "answer";
      });
      expect([result, runs]).toEqual(["answer", 1]);
    },
  );

  it("ends the span and passes the error on when the work rejects", async () => {
    const { api, spans } = observed();
    const work = openTelemetry(api).run({ what: "call", side: "client", method: "tools/list" }, async () => {
      throw new Error("theirs");
    });
    await expect(work).rejects.toThrow("theirs");
    expect(spans).toMatchObject([{ ended: 1 }]);
  });
});

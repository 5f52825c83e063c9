// The agent: a fixed plan in place of a model. It prints what it learnt, as JSON.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as api from "@opentelemetry/api";
import { render } from "@recourse/faults";
import { observeTransport, recourse } from "@recourse/faults/client";
import { openTelemetry } from "@recourse/faults/telemetry";
import { startTelemetry } from "./telemetry.ts";

const stop = startTelemetry("agent");
const transport = observeTransport();
const client = new Client({ name: "agent", version: "1.0.0" });
const url = new URL("/mcp", process.env["SHOP_URL"]);
await client.connect(new StreamableHTTPClientTransport(url, { fetch: transport.fetch }));
const mcp = recourse(client, { transport, telemetry: openTelemetry(api), server: { trustAnnotations: true } });

await api.trace.getTracer("agent").startActiveSpan("ship order 7", async (span) => {
  await mcp.tools();
  const steps = [
    ["find_order", { order: 7 }],
    ["find_order", { order: "seven" }],
    ["get_stock", { sku: "tea" }],
    ["create_shipment", { order: 7 }],
  ] as const;
  const learnt = [];
  for (const [tool, args] of steps) {
    const outcome = await mcp.call(tool, args);
    learnt.push(
      outcome.ok
        ? { tool, ok: true, attempts: outcome.tried?.attempts ?? 1 }
        : { tool, ok: false, text: render(outcome.fault, { for: "model" }), incident: outcome.fault.incident },
    );
  }
  span.end();
  console.log(JSON.stringify({ trace: span.spanContext().traceId, learnt }));
});

await client.close();
await stop();

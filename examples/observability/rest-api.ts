// The REST API behind the MCP server: a service of its own that knows nothing of MCP or Recourse. The stock service is busy
// once, and creating a shipment always fails, with a page that no caller must see.
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { serveUntilInputEnds } from "./service.ts";
import { startTelemetry } from "./telemetry.ts";

const stop = startTelemetry("warehouse-api");
const tracer = trace.getTracer("warehouse-api");
let asked = 0;

await serveUntilInputEnds((request, response) => {
  const [status, body] = answer(request.method ?? "");
  const route = request.method === "POST" ? "/shipments" : "/stock/{sku}";
  const parent = propagation.extract(context.active(), request.headers);
  const attributes = { "http.request.method": request.method ?? "", "http.route": route };
  const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
  span.setAttribute("http.response.status_code", status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}, stop);

function answer(method: string): [number, object] {
  if (method === "POST") return [500, { error: `insert into shipments failed, key ${process.env["WAREHOUSE_KEY"]}` }];
  asked += 1;
  return asked === 1 ? [503, { error: "try again" }] : [200, { sku: "tea", pieces: 12 }];
}

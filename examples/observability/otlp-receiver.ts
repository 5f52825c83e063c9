// A receiver for OTLP over HTTP in its JSON form, which is what the exporters of OpenTelemetry send by default.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Attributes = Readonly<Record<string, string | number>>;

export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, as OTLP counts. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly failed: boolean;
  readonly attributes: Attributes;
  readonly events: readonly unknown[];
}

export interface ReceivedMetric {
  readonly service: string;
  readonly name: string;
  readonly unit: string;
  readonly points: readonly { readonly value: number; readonly attributes: Attributes }[];
}

export interface Receiver {
  readonly url: string;
  /** All bytes that arrived, for a search for secrets. */
  readonly bytes: () => string;
  readonly spans: () => readonly ReceivedSpan[];
  readonly metrics: () => readonly ReceivedMetric[];
  close(): Promise<void>;
}

interface Value {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly doubleValue?: number };
}
interface OtlpSpan extends Omit<ReceivedSpan, "service" | "failed" | "attributes" | "events"> {
  readonly status?: { readonly code?: number };
  readonly attributes?: readonly Value[];
  readonly events?: readonly unknown[];
}
interface OtlpPoint {
  readonly attributes?: readonly Value[];
  readonly asInt?: number | string;
  readonly asDouble?: number;
  readonly count?: number | string;
}
interface OtlpMetric {
  readonly name: string;
  readonly unit?: string;
  readonly sum?: { readonly dataPoints: readonly OtlpPoint[] };
  readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] };
}
interface Resource {
  readonly attributes: readonly Value[];
}
interface Body {
  readonly resourceSpans?: readonly { resource: Resource; scopeSpans: { spans: OtlpSpan[] }[] }[];
  readonly resourceMetrics?: readonly { resource: Resource; scopeMetrics: { metrics: OtlpMetric[] }[] }[];
}

export async function startReceiver(): Promise<Receiver> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const parsed = () => bodies.map((body) => JSON.parse(body) as Body);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bodies.join("\n"),
    spans: () => parsed().flatMap(({ resourceSpans = [] }) => resourceSpans.flatMap(spansOf)),
    metrics: () => parsed().flatMap(({ resourceMetrics = [] }) => resourceMetrics.flatMap(metricsOf)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function spansOf({ resource, scopeSpans }: NonNullable<Body["resourceSpans"]>[number]): ReceivedSpan[] {
  const service = String(attributesOf(resource.attributes)["service.name"]);
  return scopeSpans.flatMap(({ spans }) =>
    spans.map(({ status, attributes, events = [], ...span }) => {
      const failed = status?.code === 2;
      return { ...span, service, failed, attributes: attributesOf(attributes), events };
    }),
  );
}

function metricsOf({ resource, scopeMetrics }: NonNullable<Body["resourceMetrics"]>[number]): ReceivedMetric[] {
  const service = String(attributesOf(resource.attributes)["service.name"]);
  return scopeMetrics.flatMap(({ metrics }) =>
    metrics.map(({ name, unit = "", sum, histogram }) => ({
      service,
      name,
      unit,
      points: (sum ?? histogram)?.dataPoints.map(pointOf) ?? [],
    })),
  );
}

function pointOf({ attributes, asInt, asDouble, count }: OtlpPoint): ReceivedMetric["points"][number] {
  return { value: Number(asInt ?? asDouble ?? count), attributes: attributesOf(attributes) };
}

function attributesOf(values: readonly Value[] = []): Attributes {
  return Object.fromEntries(
    values.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  );
}

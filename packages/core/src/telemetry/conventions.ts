import type { TracedOperation } from "../incidents/incident.ts";
import type { OtelAttributes, OtelMeter } from "./otel.ts";

/** `SpanKind` of OpenTelemetry. */
const KIND_INTERNAL = 0;
const KIND_SERVER = 1;
const KIND_CLIENT = 2;

export const SPAN_KINDS = {
  call: { client: KIND_INTERNAL, server: KIND_INTERNAL },
  request: { client: KIND_CLIENT, server: KIND_SERVER },
  http: { client: KIND_CLIENT, server: KIND_SERVER },
} as const satisfies Record<TracedOperation["what"], Record<TracedOperation["side"], number>>;

/** Longer names are cut, since callers choose some of them. */
const MAX_SPAN_NAME = 128;

/** The attribute that holds the name which a method is called with. URIs have none: each would be a name of its own. */
const NAME_ATTRIBUTES: Readonly<Record<string, string>> = {
  "tools/call": "gen_ai.tool.name",
  "prompts/get": "gen_ai.prompt.name",
};

export function spanName(operation: TracedOperation): string {
  const { what, method } = operation;
  const name = what === "http" || NAME_ATTRIBUTES[method] !== undefined ? cutSpanName(operation.name) : undefined;
  const verb = what === "call" && method === "tools/call" ? "execute_tool" : method;
  return name === undefined ? verb : `${verb} ${name}`;
}

/** The attributes that an operation has from its beginning. A metric has none that differ from call to call. */
export function operationAttributes(
  operation: TracedOperation,
  options: { readonly for?: "metric" } = {},
): OtelAttributes {
  const { what, method, name, attempt, address } = operation;
  const attributes =
    what === "http"
      ? { "http.request.method": method, "url.template": name, ...addressAttributes(address) }
      : {
          "mcp.method.name": method,
          "gen_ai.operation.name": method === "tools/call" ? "execute_tool" : undefined,
          [NAME_ATTRIBUTES[method] ?? ""]: NAME_ATTRIBUTES[method] === undefined ? undefined : cutSpanName(name),
          "recourse.attempt": options.for === "metric" ? undefined : attempt,
        };
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
}

function addressAttributes(address: URL | undefined): OtelAttributes {
  if (address === undefined) return {};
  const standard = address.protocol === "https:" ? 443 : 80;
  return { "server.address": address.hostname, "server.port": Number(address.port || standard) };
}

function cutSpanName(name: string | undefined): string | undefined {
  return name?.slice(0, MAX_SPAN_NAME).toWellFormed();
}

type Histogram = ReturnType<OtelMeter["createHistogram"]>;
type Counter = ReturnType<OtelMeter["createCounter"]>;
type OperationSide = TracedOperation["side"];

/** The metrics. Each is created when it is first used: one that is created before the SDK starts would record nothing. */
export interface Instruments {
  readonly durations: Readonly<Record<TracedOperation["what"], Partial<Record<OperationSide, () => Histogram>>>>;
  readonly faults: Readonly<Record<OperationSide, () => Counter>>;
}

/** The bounds in seconds that the conventions for MCP and for HTTP ask for. */
const MCP_BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const HTTP_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

export function createInstruments(meter: () => OtelMeter): Instruments {
  const histogram = (name: string, description: string, bounds: readonly number[]) =>
    createdOnce(() =>
      meter().createHistogram(name, { unit: "s", description, advice: { explicitBucketBoundaries: [...bounds] } }),
    );
  const counter = (name: string, description: string) =>
    createdOnce(() => meter().createCounter(name, { unit: "{fault}", description }));
  return {
    durations: {
      call: {},
      request: {
        client: histogram(
          "mcp.client.operation.duration",
          "How long MCP requests took, as the client saw it.",
          MCP_BOUNDS,
        ),
        server: histogram(
          "mcp.server.operation.duration",
          "How long MCP requests took, as the server saw it.",
          MCP_BOUNDS,
        ),
      },
      http: { client: histogram("http.client.request.duration", "How long requests to REST APIs took.", HTTP_BOUNDS) },
    },
    faults: {
      client: counter("recourse.client.faults", "Calls of a client that failed."),
      server: counter("recourse.server.faults", "Requests that a server answered with a fault."),
    },
  };
}

function createdOnce<T>(create: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: create() };
    return made.value;
  };
}

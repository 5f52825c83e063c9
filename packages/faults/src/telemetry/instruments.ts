import type { TracedOperation } from "../incidents/telemetry.ts";
import type { OtelMeter } from "./otel-api.ts";

type Histogram = ReturnType<OtelMeter["createHistogram"]>;
type Counter = ReturnType<OtelMeter["createCounter"]>;
type Side = TracedOperation["side"];

/** The metrics. Each is created when it is first used: one that is created before the SDK starts would record nothing. */
export interface Instruments {
  readonly durations: Readonly<Record<TracedOperation["what"], Partial<Record<Side, () => Histogram>>>>;
  readonly faults: Readonly<Record<Side, () => Counter>>;
}

/** The bounds in seconds that the conventions for MCP and for HTTP ask for. */
const MCP_BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const HTTP_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The metrics of a meter. */
export function instrumentsOf(meter: () => OtelMeter): Instruments {
  const histogram = (name: string, description: string, bounds: readonly number[]) =>
    once(() =>
      meter().createHistogram(name, { unit: "s", description, advice: { explicitBucketBoundaries: [...bounds] } }),
    );
  const counter = (name: string, description: string) =>
    once(() => meter().createCounter(name, { unit: "{fault}", description }));
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
      http: {
        client: histogram("http.client.request.duration", "How long requests to REST APIs took.", HTTP_BOUNDS),
      },
    },
    faults: {
      client: counter("recourse.client.faults", "Calls of a client that failed."),
      server: counter("recourse.server.faults", "Requests that a server answered with a fault."),
    },
  };
}

function once<T>(create: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: create() };
    return made.value;
  };
}

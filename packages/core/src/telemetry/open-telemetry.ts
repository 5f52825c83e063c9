import type { Fault } from "../fault/fault.ts";
import { readFault } from "../fault/read.ts";
import type { FailedAnswer, OperationSpan, Telemetry, TracedOperation } from "../incidents/incident.ts";
import { type TestingOptions, toClock } from "../wire/clock.ts";
import { isObject, memberAt } from "../wire/json.ts";
import { FAULT_KEY } from "../wire/names.ts";
import { faultAttributes, isUnknownName, metricAttributes } from "./attributes.ts";
import { createInstruments, type Instruments, operationAttributes, SPAN_KINDS, spanName } from "./conventions.ts";
import {
  type OpenTelemetryApi,
  type OtelAttributes,
  type OtelSpan,
  type OtelSpanContext,
  STATUS_ERROR,
} from "./otel.ts";

/** Options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /**
   * Whether a server continues the trace that a caller names in `_meta`. Set it to `false` for callers whose traces are not
   * yours: each request then starts a trace of its own, with a link to the caller's span.
   * @default true
   */
  readonly continueTraces?: boolean;
  /** Replaces time in tests. @default the platform's */
  readonly testing?: TestingOptions;
}

const TRACER_NAME = "@recourse/faults";
const NO_SPAN: OperationSpan = { context: {}, answered: () => {}, failed: () => {} };

/**
 * Traces and metrics by OpenTelemetry, for the `telemetry` option of `guard`, `recourse` and the bridge. Spans and metrics
 * have the names of the OpenTelemetry conventions for MCP, and faults are attributes. Arguments, results and thrown errors
 * are never recorded, and no text but the message of a fault. It never changes how an operation ends.
 *
 * @example
 * import * as api from "@opentelemetry/api";
 * const telemetry = openTelemetry(api);
 * guard(server, { telemetry });
 * const mcp = recourse(client, { telemetry });
 */
export function openTelemetry(api: OpenTelemetryApi, options: OpenTelemetryOptions = {}): Telemetry {
  const { monotonic: now } = toClock(options.testing);
  const instruments = createInstruments(() => api.metrics.getMeter(TRACER_NAME));
  const run: Telemetry["run"] = <T>(operation: TracedOperation, work: (span: OperationSpan) => Promise<T>) => {
    let running: Promise<T> | undefined;
    let span: OtelSpan | undefined;
    try {
      const parent = findParent(api, operation, options);
      span = startSpan(api, operation, parent);
      const context = api.trace.setSpan(parent.context, span);
      const carrier: Record<string, string> = {};
      api.propagation.inject(context, carrier);
      const open = new OpenSpan(operation, { span, context: carrier, instruments, now });
      api.context.with(context, () => {
        running = finish(open, work);
      });
    } catch {
      // Telemetry must never break what it observes.
    }
    if (running !== undefined) return running;
    quietly(() => span?.end());
    return work(NO_SPAN);
  };
  return { run };
}

interface Parent {
  readonly context: object;
  readonly links: { readonly context: OtelSpanContext }[];
}

function findParent(
  api: OpenTelemetryApi,
  { meta }: TracedOperation,
  { continueTraces = true }: OpenTelemetryOptions,
): Parent {
  const active = api.context.active();
  const remote = meta === undefined ? active : api.propagation.extract(active, stringMembers(meta));
  const context = continueTraces ? remote : active;
  // The span of the transport, or the caller's if its trace is not continued.
  const [own, other] = [context, continueTraces ? active : remote].map((one) => api.trace.getSpan(one)?.spanContext());
  return { context, links: other === undefined || other.spanId === own?.spanId ? [] : [{ context: other }] };
}

function startSpan(api: OpenTelemetryApi, operation: TracedOperation, { context, links }: Parent): OtelSpan {
  const options = {
    kind: SPAN_KINDS[operation.what][operation.side],
    attributes: operationAttributes(operation),
    links,
  };
  return api.trace.getTracer(TRACER_NAME).startSpan(spanName(operation), options, context);
}

/** The members that may continue a trace. A caller chooses them, so they can be anything. */
function stringMembers(meta: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(meta).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

async function finish<T>(open: OpenSpan, work: (span: OperationSpan) => Promise<T>): Promise<T> {
  try {
    const result = await work(open);
    quietly(() => open.returned(result));
    return result;
  } finally {
    quietly(() => open.end());
  }
}

function quietly(run: () => void): void {
  try {
    run();
  } catch {
    // Telemetry must never break what it observes.
  }
}

interface SpanParts {
  readonly span: OtelSpan;
  readonly context: Readonly<Record<string, string>>;
  readonly instruments: Instruments;
  readonly now: () => number;
}

class OpenSpan implements OperationSpan {
  readonly context: Readonly<Record<string, string>>;
  readonly #operation: TracedOperation;
  readonly #parts: SpanParts;
  readonly #startedMs: number;
  #attributes: OtelAttributes;
  #status: OtelAttributes = {};
  #fault: Fault | undefined;

  constructor(operation: TracedOperation, parts: SpanParts) {
    this.context = parts.context;
    this.#operation = operation;
    this.#parts = parts;
    this.#startedMs = parts.now();
    this.#attributes = operationAttributes(operation, { for: "metric" });
  }

  answered(status: number): void {
    this.#status = { "http.response.status_code": status };
    quietly(() => this.#parts.span.setAttributes(this.#status));
  }

  failed(fault: Fault, answer: FailedAnswer = {}): void {
    quietly(() => this.#failed(fault, answer));
  }

  /** A result that a handler or a service made itself, past the kit. */
  returned(result: unknown): void {
    if (this.#fault !== undefined || this.#operation.side !== "server" || !isObject(result)) return;
    if (memberAt(result, "isError") !== true) return;
    const fault = readFault(memberAt(memberAt(result, "_meta"), FAULT_KEY));
    if (fault === undefined) this.#failedSomehow();
    else this.#failed(fault, { isError: true });
  }

  end(): void {
    const { span, instruments, now } = this.#parts;
    const { what, side } = this.#operation;
    quietly(() => span.end());
    const attributes = { ...this.#attributes, ...this.#status };
    instruments.durations[what]?.[side]?.().record((now() - this.#startedMs) / 1_000, attributes);
    // One failure of a call is one fault, however many requests it took.
    const isCounted = what === (side === "client" ? "call" : "request");
    if (this.#fault !== undefined && isCounted) instruments.faults[side]().add(1, this.#attributes);
  }

  /** A tool result says that it is an error, and nothing else. */
  #failedSomehow(): void {
    const failed = { "error.type": "tool_error" };
    this.#parts.span.setAttributes(failed);
    this.#parts.span.setStatus({ code: STATUS_ERROR });
    this.#attributes = { ...this.#attributes, ...failed };
  }

  #failed(fault: Fault, answer: FailedAnswer): void {
    const { span } = this.#parts;
    const { what, side, method, name } = this.#operation;
    const isHttp = what === "http";
    const tool = method === "tools/call" ? name : undefined;
    const failed = isHttp ? { side } : { side, method, tool, ...answer };
    const status = this.#status["http.response.status_code"];
    const type = isHttp && status !== undefined ? { "error.type": String(status) } : {};
    this.#fault = fault;
    // A name that does not exist can be anything, and would be a span name or a time series of its own.
    const known = isUnknownName(fault) ? { ...this.#operation, name: undefined } : this.#operation;
    if (known !== this.#operation) span.updateName(spanName(known));
    this.#attributes = {
      ...operationAttributes(known, { for: "metric" }),
      ...metricAttributes(fault, failed),
      ...type,
    };
    span.setAttributes({ ...faultAttributes(fault, failed), ...type });
    span.setStatus({ code: STATUS_ERROR, message: fault.message });
  }
}

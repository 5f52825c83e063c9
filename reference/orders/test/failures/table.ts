// Provokes every failure on both adapters, and writes down what each client saw.
import type { Fault } from "@recourse/faults";
import { mcp } from "@recourse/faults/dialects";
import { ADAPTER_NAMES, type AdapterName } from "../../src/mcp/start.ts";
import { observeService, type ServiceObservation } from "../support/observe-service.ts";
import { type Message, OBSERVERS, type Observer, observe } from "../support/observers.ts";
import type { TestEnvironment } from "../support/test-environment.ts";
import type { Failure } from "./failure.ts";
import { FAILURES } from "./failures.ts";

export interface Row {
  readonly failure: Failure;
  readonly adapter: AdapterName;
  /** In the dialect of the server, by client. */
  readonly observed: Readonly<Record<Observer, Message>>;
  /** In MCP's own dialect, by the newest client. */
  readonly fault: Fault | undefined;
  readonly service?: ServiceObservation;
}

/** One row for each failure and adapter, in their order. */
export async function provokeAll(environment: TestEnvironment): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const failure of FAILURES) {
    const undo = await failure.arrange?.(environment);
    try {
      for (const adapter of ADAPTER_NAMES) {
        if (failure.only === undefined || failure.only === adapter)
          rows.push(await provoke(failure, adapter, environment));
      }
    } finally {
      await undo?.();
    }
  }
  return rows;
}

async function provoke(failure: Failure, adapter: AdapterName, environment: TestEnvironment): Promise<Row> {
  const { tool, args, key } = failure;
  const toolCall = { adapter, tool, args, ...(key !== undefined && { meta: { "recourse/call": { key } } }) };
  const ask = async (observer: Observer) =>
    [observer, await observe(observer, environment.server.url, toolCall)] as const;
  const observed = Object.fromEntries(await Promise.all(OBSERVERS.map(ask))) as Record<Observer, Message>;
  const own = await observe("v2 modern", environment.server.url, { ...toolCall, dialect: "mcp" });
  const isAsked = adapter === "rest" && failure.service !== undefined;
  return {
    failure,
    adapter,
    observed,
    fault: mcp.decode(own),
    ...(isAsked && { service: await observeService(environment, { tool, args, key }) }),
  };
}

const HEAD = [
  "failure",
  "cause",
  "tool",
  "adapter",
  ...OBSERVERS.map((one) => `onx: ${one}`),
  "REST service",
  "mcp: reason, effect",
];

/** The rows as a table in Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ failure, adapter, observed, service, fault }) => [
    `${failure.code} ${failure.name}`,
    failure.cause,
    failure.tool,
    adapter,
    ...OBSERVERS.map((observer) => summarize(observed[observer])),
    service === undefined ? "–" : `${service.status} ${service.body.code}${waitNote(service.wait)}`,
    `${fault?.reason}, ${fault?.effect}`,
  ]);
  return [HEAD, HEAD.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function summarize({ result }: Message): string {
  const { code, retryable, details } = result?.error ?? {};
  const about = details?.["originalError"] ?? details?.["field"];
  return `${code}${about === undefined ? "" : ` ${String(about)}`}, ${retryable ? "retry" : "do not retry"}`;
}

function waitNote(wait: string | null): string {
  return wait === null ? "" : `, Retry-After ${wait}`;
}

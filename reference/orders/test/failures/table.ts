// Provokes every failure on both adapters, and writes down what each client saw.
import type { Fault } from "@recourse/faults";
import { mcp } from "@recourse/faults/dialects";
import { ADAPTERS, type AdapterName } from "../../src/mcp/start.ts";
import { observeService, type SeenService } from "../support/observe-service.ts";
import { type Message, OBSERVERS, type Observer, observe } from "../support/observers.ts";
import type { World } from "../support/world.ts";
import type { Failure } from "./failure.ts";
import { FAILURES } from "./failures.ts";

export interface Row {
  readonly failure: Failure;
  readonly adapter: AdapterName;
  /** In the system's own wire, by client. */
  readonly seen: Readonly<Record<Observer, Message>>;
  /** In MCP's own wire, by the newest client. */
  readonly fault: Fault | undefined;
  readonly service?: SeenService;
}

/** One row for each failure and adapter, in their order. */
export async function provokeAll(world: World): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const failure of FAILURES) {
    const undo = await failure.arrange?.(world);
    try {
      for (const adapter of ADAPTERS) {
        if (failure.only === undefined || failure.only === adapter) rows.push(await provoke(failure, adapter, world));
      }
    } finally {
      await undo?.();
    }
  }
  return rows;
}

async function provoke(failure: Failure, adapter: AdapterName, world: World): Promise<Row> {
  const { tool, args, key } = failure;
  const asking = { adapter, tool, args, ...(key !== undefined && { meta: { "recourse/call": { key } } }) };
  const ask = async (observer: Observer) => [observer, await observe(observer, world.server.url, asking)] as const;
  const seen = Object.fromEntries(await Promise.all(OBSERVERS.map(ask))) as Record<Observer, Message>;
  const own = await observe("v2 modern", world.server.url, { ...asking, dialect: "mcp" });
  const isAsked = adapter === "rest" && failure.service !== undefined;
  return {
    failure,
    adapter,
    seen,
    fault: mcp.decode(own),
    ...(isAsked && { service: await observeService(world, { tool, args, key }) }),
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
  const lines = rows.map(({ failure, adapter, seen, service, fault }) => [
    `${failure.code} ${failure.name}`,
    failure.cause,
    failure.tool,
    adapter,
    ...OBSERVERS.map((observer) => said(seen[observer])),
    service === undefined ? "–" : `${service.status} ${service.body.code}${waits(service.wait)}`,
    `${fault?.reason}, ${fault?.effect}`,
  ]);
  return [HEAD, HEAD.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function said({ result }: Message): string {
  const { code, retryable, details } = result?.error ?? {};
  const about = details?.["originalError"] ?? details?.["field"];
  return `${code}${about === undefined ? "" : ` ${String(about)}`}, ${retryable ? "retry" : "do not retry"}`;
}

function waits(wait: string | null): string {
  return wait === null ? "" : `, Retry-After ${wait}`;
}

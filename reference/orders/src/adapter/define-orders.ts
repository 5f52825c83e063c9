import { type AdapterType, defineAdapter } from "@recourse/bridge";
import type { OrderBackend } from "../orders/backend.ts";
import { FAILURES, type FailureName } from "../orders/failures.ts";
import { TOOLS } from "./tools.ts";

/** An adapter for orders: the same tools and the same failures over whatever backend is opened. */
export function defineOrders<Config>(
  open: (config: Config, signal: AbortSignal) => OrderBackend | Promise<OrderBackend>,
): AdapterType<Config, FailureName> {
  return defineAdapter({
    name: "orders",
    faults: FAILURES,
    lifecycle: {
      initialise: open,
      health: (backend: OrderBackend, signal) => backend.ping(signal),
      close: (backend) => backend.close(),
    },
    tools: TOOLS,
  });
}

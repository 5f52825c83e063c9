// Calls the REST service directly.
import type { ToolCall } from "./observers.ts";
import { KEY, type TestEnvironment } from "./test-environment.ts";

type Args = ToolCall["args"];

/** The operation of the service behind each tool. */
const OPERATIONS: Readonly<Record<string, (args: Args) => { readonly path: string; readonly post?: object }>> = {
  get_order: ({ order_id }) => ({ path: `/v1/orders/${order_id}` }),
  list_orders: (args) => ({ path: `/v1/orders?${new URLSearchParams(args as Record<string, string>)}` }),
  place_order: (args) => ({ path: "/v1/orders", post: args }),
  cancel_order: ({ order_id }) => ({ path: `/v1/orders/${order_id}/cancel`, post: {} }),
  track_shipment: ({ order_id }) => ({ path: `/v1/orders/${order_id}/shipment` }),
};

export interface ServiceObservation {
  readonly status: number;
  readonly wait: string | null;
  readonly body: { readonly code?: string };
}

export async function observeService(
  { service }: TestEnvironment,
  { tool, args, key }: Pick<ToolCall, "tool" | "args"> & { readonly key?: string | undefined },
): Promise<ServiceObservation> {
  const operation = OPERATIONS[tool]?.(args);
  const headers = { authorization: `Bearer ${KEY}`, ...(key !== undefined && { "idempotency-key": key }) };
  const response = await fetch(new URL(operation?.path ?? "/", service.url), {
    headers,
    ...(operation?.post && { method: "POST", body: JSON.stringify(operation.post) }),
  });
  const { status } = response;
  return {
    status,
    wait: response.headers.get("retry-after"),
    body: (await response.json()) as ServiceObservation["body"],
  };
}

import type { NewOrder, Order, OrderFilter, Shipment } from "./order.ts";

/** What a backend is told about a call besides its arguments. */
export interface OrderCall {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The key that makes repetitions of a call one call. */
  readonly key?: string | undefined;
}

/**
 * What the tools need of a backend. Every method throws a failure of `failures.ts` by its identifier, a refusal of
 * arguments, or whatever went wrong behind it.
 */
export interface OrderBackend {
  get(id: string, call: OrderCall): Promise<Order>;
  list(filter: OrderFilter, call: OrderCall): Promise<readonly Order[]>;
  place(order: NewOrder, call: OrderCall): Promise<Order>;
  /** Cancels an order; one that is cancelled already stays so. */
  cancel(id: string, call: OrderCall): Promise<Order>;
  /** Absent where the backend knows nothing about parcels. */
  track?(id: string, call: OrderCall): Promise<Shipment>;
  /** Rejects when the backend does not work. */
  ping(signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

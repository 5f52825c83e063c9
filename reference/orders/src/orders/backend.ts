import type { NewOrder, Order, OrderFilter, Shipment } from "./order.ts";

/** What a backend gets besides the arguments of a call. */
export interface OrderCall {
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** The idempotency key: repeated calls with the same key have the effect of one. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * What the tools need from a backend. A method throws a failure of `failures.ts`, `invalidArguments`, or any other error for
 * a failure of the backend itself.
 */
export interface OrderBackend {
  get(id: string, call: OrderCall): Promise<Order>;
  list(filter: OrderFilter, call: OrderCall): Promise<readonly Order[]>;
  place(order: NewOrder, call: OrderCall): Promise<Order>;
  /** Cancels an order. A cancelled order stays cancelled. */
  cancel(id: string, call: OrderCall): Promise<Order>;
  /** Where the parcel of an order is; missing if the backend cannot track parcels. */
  track?(id: string, call: OrderCall): Promise<Shipment>;
  /** Rejects when the backend does not work. */
  ping(signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

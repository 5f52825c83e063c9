// What a failure is to the table, and what several of them are made of.
import type { AdapterName } from "../../src/mcp/start.ts";
import type { World } from "../support/world.ts";

export interface Failure {
  readonly code: number;
  readonly name: string;
  /** One word for both adapters, or one for each: only some of them know that nothing was done. */
  readonly retryable: boolean | Readonly<Record<AdapterName, boolean>>;
  readonly cause: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The idempotency key of the call. */
  readonly key?: string;
  /** Makes it so, and gives the way back. */
  readonly arrange?: (world: World) => Promise<() => unknown>;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The reason as MCP's own wire tells it; absent where it depends on the moment at which a line broke. */
  readonly reason?: string | Readonly<Record<AdapterName, string>>;
  /** What the service itself answers; absent where it is not asked. */
  readonly service?: { readonly status: number; readonly code: string };
  /** Only this adapter has it. */
  readonly only?: AdapterName;
}

/** An order that is there. */
export const ORDER = { order_id: "ORD-1001" };
const wanted = (change: object = {}) => ({
  customer: { email: "eve@example.com" },
  items: [{ sku: "LAMP-1", quantity: 1 }],
  deliver_to: { country: "CH", postcode: "8001" },
  ...change,
});
/** Places an order in which nothing is wrong but what is changed. */
export const place = (change?: object) => ({ tool: "place_order", args: wanted(change) });

/** Changes something in the database, and back. */
export function changed(there: string, back: string): NonNullable<Failure["arrange"]> {
  return async ({ database }) => {
    await database.query(there);
    return () => database.query(back);
  };
}

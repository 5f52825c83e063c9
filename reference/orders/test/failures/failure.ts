// What a failure is to the table, and what several of them are made of.
import type { Kind } from "@recourse/faults";
import type { AdapterName } from "../../src/mcp/start.ts";
import type { TestEnvironment } from "../support/test-environment.ts";

export interface Failure {
  readonly code: number;
  readonly name: string;
  /** One value for both adapters, or one for each: not all of them know the effect. */
  readonly retryable: boolean | Readonly<Record<AdapterName, boolean>>;
  readonly cause: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The idempotency key of the call. */
  readonly key?: string;
  /** Causes the failure, and returns a function that undoes it. */
  readonly arrange?: (environment: TestEnvironment) => Promise<() => unknown>;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What the model reads, if no incident follows. */
  readonly says?: string;
  /** The kind that a client of Recourse reads. */
  readonly kind?: Kind;
  /** Whether the answer names a wait. */
  readonly waits?: boolean;
  /** The reason in MCP's own dialect; missing if it depends on the moment at which a connection broke. */
  readonly reason?: string | Readonly<Record<AdapterName, string>>;
  /** The answer of the service itself; missing if it is not called. */
  readonly service?: { readonly status: number; readonly code: string };
  /** The only adapter with this failure. */
  readonly only?: AdapterName;
}

/** An order of the seeds. */
export const ORDER = { order_id: "ORD-1001" };
const wanted = (change: object = {}) => ({
  customer: { email: "eve@example.com" },
  items: [{ sku: "LAMP-1", quantity: 1 }],
  deliver_to: { country: "CH", postcode: "8001" },
  ...change,
});
/** A valid order with some changes. */
export const place = (change?: object) => ({ tool: "place_order", args: wanted(change) });

/** Changes something in the database, and back. */
export function changed(there: string, back: string): NonNullable<Failure["arrange"]> {
  return async ({ database }) => {
    await database.query(there);
    return () => database.query(back);
  };
}

import { type Alert, bearer, openapi } from "@recourse/bridge";
import { defineOrders } from "../adapter/define-orders.ts";
import { restBackend } from "./backend.ts";

/** Where the service is, and what it asks for. */
export interface ServiceOptions {
  readonly url: string;
  /** The key of this server. */
  readonly key: string;
  /** Private addresses that may be reached, such as `["127.0.0.0/8"]` for a service beside this server. */
  readonly allowPrivate?: readonly string[];
  /** How long an answer may take. */
  readonly answerMs?: number;
  /** Hears that the key is refused, which no caller can mend. */
  readonly sink?: (alert: Alert) => unknown;
}

const DOCUMENT = new URL("openapi.yaml", import.meta.url);

/** The tools on a service over REST. */
export const restOrders = defineOrders(async (options: ServiceOptions, signal) => {
  const { url, key, allowPrivate = [], answerMs = 5_000, sink } = options;
  const bridge = await openapi(DOCUMENT, {
    server: url,
    name: "orders",
    credential: bearer(key),
    // The service names its failures in its answers; they are read here, and never handed on.
    text: "raw",
    network: { allowPrivate, totalMs: answerMs },
    signal,
    ...(sink && { sink }),
  });
  bridge.operation("placeOrder", { key: "Idempotency-Key" });
  bridge.operation("cancelOrder", { annotations: { idempotentHint: true } });
  return restBackend(bridge);
});

import { claimGtin } from "./claim-gtin.ts";
import { generateQrUrl } from "./generate-qr-url.ts";
import { lookupProduct } from "./lookup-product.ts";
import type { Operation } from "./operation.ts";
import { ping } from "./ping.ts";
import { resolveGtin } from "./resolve-gtin.ts";
import { validateGtin } from "./validate-gtin.ts";

/** The operations that are tools. */
export const TOOLS: readonly Operation[] = [ping, validateGtin, resolveGtin, lookupProduct, generateQrUrl, claimGtin];

/** One route of the REST API. `:gtin` is a value of the input; the other values are in the query. */
export interface RestRoute {
  readonly method: "GET" | "PUT";
  readonly path: string;
  readonly operation: Operation;
}

/** The REST API: the same operations. */
export const REST_ROUTES: readonly RestRoute[] = [
  { method: "GET", path: "/v1/ping", operation: ping },
  { method: "GET", path: "/v1/gtin/:gtin/validate", operation: validateGtin },
  { method: "GET", path: "/v1/gtin/:gtin/resolve", operation: resolveGtin },
  { method: "GET", path: "/v1/gtin/:gtin/product", operation: lookupProduct },
  { method: "GET", path: "/v1/gtin/:gtin/qr", operation: generateQrUrl },
  { method: "PUT", path: "/v1/gtin/:gtin/claim", operation: claimGtin },
];

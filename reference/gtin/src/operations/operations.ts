import { claimGtin } from "./claim-gtin.ts";
import { generateQrUrl } from "./generate-qr-url.ts";
import { lookupProduct } from "./lookup-product.ts";
import type { Operation } from "./operation.ts";
import { ping } from "./ping.ts";
import { resolveGtin } from "./resolve-gtin.ts";
import { validateGtin } from "./validate-gtin.ts";

/** What models can do: the tools. */
export const TOOLS: readonly Operation[] = [ping, validateGtin, resolveGtin, lookupProduct, generateQrUrl];

/** One address of the REST API; `:gtin` stands for a value, and the query for the rest of the input. */
export interface RestRoute {
  readonly method: "GET" | "PUT";
  readonly path: string;
  readonly operation: Operation;
}

/** The REST API: the same operations, and one for owners of brands. */
export const REST_ROUTES: readonly RestRoute[] = [
  { method: "GET", path: "/v1/ping", operation: ping },
  { method: "GET", path: "/v1/gtin/:gtin/validate", operation: validateGtin },
  { method: "GET", path: "/v1/gtin/:gtin/resolve", operation: resolveGtin },
  { method: "GET", path: "/v1/gtin/:gtin/product", operation: lookupProduct },
  { method: "GET", path: "/v1/gtin/:gtin/qr", operation: generateQrUrl },
  { method: "PUT", path: "/v1/gtin/:gtin/claim", operation: claimGtin },
];

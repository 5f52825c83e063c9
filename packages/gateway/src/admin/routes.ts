import { adminDocument } from "./document.ts";
import type { Route } from "./route.ts";
import { APPROVAL_ROUTES } from "./routes/approvals.ts";
import { INCIDENT_ROUTES } from "./routes/incidents.ts";
import { KEY_ROUTES } from "./routes/keys.ts";
import { STATE_ROUTES } from "./routes/state.ts";

/** Every route of the API for operators. What is checked, documented and tested comes from this table. */
export const ROUTES: readonly Route[] = [
  ...INCIDENT_ROUTES,
  ...APPROVAL_ROUTES,
  ...KEY_ROUTES,
  ...STATE_ROUTES,
  {
    method: "GET",
    path: "/openapi.json",
    id: "getDocument",
    // It is in the package too, and says nothing about one gateway.
    role: undefined,
    summary: "Get the OpenAPI document of this API.",
    isUnlisted: true,
    answer: { type: "object" },
    handle: () => ADMIN_DOCUMENT,
  },
];

/** The OpenAPI document of the API. */
export const ADMIN_DOCUMENT: Readonly<Record<string, unknown>> = adminDocument(ROUTES);

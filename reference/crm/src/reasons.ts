import { defineReasons } from "@recourse/faults";

/** How long a caller should wait during an outage of the database, in ms. */
const OUTAGE_WAIT_MS = 2_000;

/** The reasons of this server; all others come from the library. The kind decides the HTTP status. */
export const crm = defineReasons("crm", {
  bad_json: { kind: "invalid_input", text: "The body is not a JSON object" },
  body_too_large: { kind: "invalid_input", text: "The body is too large" },
  workspace_forbidden: { kind: "forbidden", text: "This key has no access to the workspace" },
  read_only: { kind: "forbidden", text: "This key may only read" },
  address_not_found: { kind: "not_found", text: "There is nothing at this address" },
  method_not_served: { kind: "unsupported", text: "This address does not serve the method of the request" },
  client_not_found: { kind: "not_found", text: "Client not found" },
  agent_not_found: { kind: "not_found", text: "Agent not found" },
  campaign_not_found: { kind: "not_found", text: "Campaign not found" },
  webhook_not_found: { kind: "not_found", text: "Webhook not found" },
  agent_without_workspace: { kind: "precondition_failed", text: "The agent of the campaign has no workspace" },
  campaign_launched: { kind: "precondition_failed", text: "The campaign was launched already" },
  failed: { kind: "internal", text: "Internal error" },
  database_unavailable: {
    kind: "unavailable",
    text: "The service is not available at the moment",
    details: { effect: "none", retry: { allowed: true, afterMs: OUTAGE_WAIT_MS } },
  },
  // A write that began before the connection broke. It may be in the database.
  outcome_unknown: {
    kind: "unavailable",
    text: "The service is not available at the moment",
    details: { effect: "possible" },
  },
});

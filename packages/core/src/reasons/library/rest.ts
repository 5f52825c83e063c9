import { count, reason } from "./define.ts";

/** The REST API refused the arguments. */
export const invalid_arguments = reason("rest/invalid_arguments", "invalid_input", "The service rejected the arguments.");
/** The API key covers several workspaces, and the call named none. */
export const workspace_missing = reason(
  "rest/workspace_missing",
  "invalid_input",
  "This key spans several workspaces, so the call has to name a workspace.",
  {},
  { issues: [{ pointer: "/workspace", rule: "required", expected: "the id of one workspace" }] },
);
/** It exists, but its state does not allow this. */
export const wrong_state = reason("rest/wrong_state", "precondition_failed", "The item exists, but its state does not allow this operation.");
/** The REST API failed. */
export const upstream_failed = reason("rest/upstream_failed", "upstream_failed", "The service behind this tool reported a failure of its own.");
/** It does not exist, or it is hidden from these credentials. Many services do not say which. */
export const not_found = reason("rest/not_found", "not_found", "The item does not exist, or is not accessible.");
/** It was deleted for good. */
export const gone = reason("rest/gone", "not_found", "The item is gone for good.");
/** The change was based on an old version, or named none. */
export const stale = reason("rest/stale", "conflict", "The item was changed meanwhile.");
/** It is locked for an unknown time. */
export const locked = reason("rest/locked", "precondition_failed", "The item is locked at the moment.");
/** A payment is missing or was refused. */
export const payment_required = reason("rest/payment_required", "precondition_failed", "The service demands a payment first.", {}, { recourse: [{ do: "ask_user" }] });
/** The service may not do this for legal reasons. */
export const legal = reason("rest/legal", "forbidden", "The service may not do this for legal reasons.");
/** The service takes the request for an attack or a bot. */
export const rejected = reason("rest/rejected", "forbidden", "The service rejected the request for reasons of security.");
/** A value is beyond the range that exists. */
export const out_of_range = reason("rest/out_of_range", "invalid_input", "An argument asks for something beyond the range that exists.");
/** The service takes this call only with an idempotency key. */
export const key_missing = reason("rest/key_missing", "invalid_request", "The service takes this call only with an idempotency key, and none was sent.");
/** The service did not accept the request now, and did nothing with it. */
export const not_taken = reason("rest/not_taken", "overloaded", "The service did not take the request at this moment and did nothing with it.");
/** The service refused the request with a status that says nothing more. It is for decoders. */
export const refused = reason("rest/refused", "unknown", "The service refused the request[ with HTTP status {status}].", { status: count }, { effect: "none", recourse: [{ do: "stop" }] });
/** The service answered with a redirect that was not followed. */
export const unexpected_redirect = reason("rest/unexpected_redirect", "unavailable", "The service answered with a redirect that is not followed.", {}, { retry: { allowed: false } });
/** The call succeeded, but the content of the answer cannot be read. */
export const unexpected_content = reason("rest/unexpected_content", "upstream_failed", "The service answered with content that cannot be read here.");
/** The call succeeded, but the answer is too large. */
export const response_too_large = reason("rest/response_too_large", "upstream_failed", "The answer of the service is too large to be passed on.", {}, { retry: { allowed: false } });
/** The service does not accept the credential of this server. The caller cannot change that. */
export const upstream_auth = reason("rest/upstream_auth", "unavailable", "The service behind this tool is not available.", {}, { effect: "none", retry: { allowed: false } });
/** The credential of this server does not permit this operation. */
export const upstream_forbidden = reason("rest/upstream_forbidden", "unavailable", "The service behind this tool is not available for this operation.", {}, { effect: "none", retry: { allowed: false } });
/** The account of this server at the service is unpaid or exhausted. */
export const upstream_account = reason("rest/upstream_account", "unavailable", "The service behind this tool does not serve this server's account at the moment.", {}, { effect: "none", retry: { allowed: false } });
/** The service does not accept the version, format or headers of the request. */
export const protocol_mismatch = reason("rest/protocol_mismatch", "unavailable", "The service behind this tool does not take requests of this format.", {}, { effect: "none", retry: { allowed: false } });
/** The service does not have this operation at its address. */
export const route_missing = reason("rest/route_missing", "unavailable", "The service behind this tool does not have this operation at its address.", {}, { effect: "none", retry: { allowed: false } });

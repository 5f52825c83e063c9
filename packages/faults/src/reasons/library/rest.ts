import { count, defineLibraryReason } from "./define.ts";

/** The REST API refused the arguments. */
export const invalid_arguments = defineLibraryReason("rest/invalid_arguments", {
  kind: "invalid_input",
  text: "The service rejected the arguments.",
});

/** The API key covers several workspaces, and the call named none. */
export const workspace_missing = defineLibraryReason("rest/workspace_missing", {
  kind: "invalid_input",
  text: "This key spans several workspaces, so the call has to name a workspace.",
  details: { issues: [{ pointer: "/workspace", rule: "required", expected: "the id of one workspace" }] },
});

/** It exists, but its state does not allow this. */
export const wrong_state = defineLibraryReason("rest/wrong_state", {
  kind: "precondition_failed",
  text: "The item exists, but its state does not allow this operation.",
});

/** The REST API failed. */
export const upstream_failed = defineLibraryReason("rest/upstream_failed", {
  kind: "upstream_failed",
  text: "The service behind this tool reported a failure of its own.",
});

/** It does not exist, or it is hidden from these credentials. Many services do not say which. */
export const not_found = defineLibraryReason("rest/not_found", {
  kind: "not_found",
  text: "The item does not exist, or is not accessible.",
});

/** It was deleted for good. */
export const gone = defineLibraryReason("rest/gone", {
  kind: "not_found",
  text: "The item is gone for good.",
});

/** The change was based on an old version, or named none. */
export const stale = defineLibraryReason("rest/stale", {
  kind: "conflict",
  text: "The item was changed meanwhile.",
});

/** It is locked for an unknown time. */
export const locked = defineLibraryReason("rest/locked", {
  kind: "precondition_failed",
  text: "The item is locked at the moment.",
});

/** A payment is missing or was refused. */
export const payment_required = defineLibraryReason("rest/payment_required", {
  kind: "precondition_failed",
  text: "The service demands a payment first.",
  details: { recourse: [{ do: "ask_user" }] },
});

/** The service may not do this for legal reasons. */
export const legal = defineLibraryReason("rest/legal", {
  kind: "forbidden",
  text: "The service may not do this for legal reasons.",
});

/** The service takes the request for an attack or a bot. */
export const rejected = defineLibraryReason("rest/rejected", {
  kind: "forbidden",
  text: "The service rejected the request for reasons of security.",
});

/** A value is beyond the range that exists. */
export const out_of_range = defineLibraryReason("rest/out_of_range", {
  kind: "invalid_input",
  text: "An argument asks for something beyond the range that exists.",
});

/** The service takes this call only with an idempotency key. */
export const key_missing = defineLibraryReason("rest/key_missing", {
  kind: "invalid_request",
  text: "The service takes this call only with an idempotency key, and none was sent.",
});

/** The service did not accept the request now, and did nothing with it. */
export const not_taken = defineLibraryReason("rest/not_taken", {
  kind: "overloaded",
  text: "The service did not take the request at this moment and did nothing with it.",
});

/** The service refused the request with a status that says nothing more. It is for decoders. */
export const refused = defineLibraryReason("rest/refused", {
  kind: "unknown",
  text: "The service refused the request[ with HTTP status {status}].",
  slots: { status: count },
  details: { effect: "none", recourse: [{ do: "stop" }] },
});

/** The service answered with a redirect that was not followed. */
export const unexpected_redirect = defineLibraryReason("rest/unexpected_redirect", {
  kind: "unavailable",
  text: "The service answered with a redirect that is not followed.",
  details: { retry: { allowed: false } },
});

/** The call succeeded, but the content of the answer cannot be read. */
export const unexpected_content = defineLibraryReason("rest/unexpected_content", {
  kind: "upstream_failed",
  text: "The service answered with content that cannot be read here.",
});

/** The call succeeded, but the answer is too large. */
export const response_too_large = defineLibraryReason("rest/response_too_large", {
  kind: "upstream_failed",
  text: "The answer of the service is too large to be passed on.",
  details: { retry: { allowed: false } },
});

/** The service does not accept the credential of this server. The caller cannot change that. */
export const upstream_auth = defineLibraryReason("rest/upstream_auth", {
  kind: "unavailable",
  text: "The service behind this tool is not available.",
  details: { effect: "none", retry: { allowed: false } },
});

/** The credential of this server does not permit this operation. */
export const upstream_forbidden = defineLibraryReason("rest/upstream_forbidden", {
  kind: "unavailable",
  text: "The service behind this tool is not available for this operation.",
  details: { effect: "none", retry: { allowed: false } },
});

/** The account of this server at the service is unpaid or exhausted. */
export const upstream_account = defineLibraryReason("rest/upstream_account", {
  kind: "unavailable",
  text: "The service behind this tool does not serve this server's account at the moment.",
  details: { effect: "none", retry: { allowed: false } },
});

/** The service does not accept the version, format or headers of the request. */
export const protocol_mismatch = defineLibraryReason("rest/protocol_mismatch", {
  kind: "unavailable",
  text: "The service behind this tool does not take requests of this format.",
  details: { effect: "none", retry: { allowed: false } },
});

/** The service does not have this operation at its address. */
export const route_missing = defineLibraryReason("rest/route_missing", {
  kind: "unavailable",
  text: "The service behind this tool does not have this operation at its address.",
  details: { effect: "none", retry: { allowed: false } },
});

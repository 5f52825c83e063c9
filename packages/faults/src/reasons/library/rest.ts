import { defineReason } from "../define.ts";
import { count } from "./slots.ts";

/** The REST API refused the arguments. */
export const invalid_arguments = defineReason("rest/invalid_arguments", {
  kind: "invalid_input",
  text: "The service rejected the arguments.",
});

/** The key spans several workspaces and none was named. */
export const workspace_missing = defineReason("rest/workspace_missing", {
  kind: "invalid_input",
  text: "This key spans several workspaces, so the call has to name one.",
  details: { issues: [{ pointer: "/workspace", rule: "required", expected: "the id of one workspace" }] },
});

/** The thing exists but is in a state that does not allow this. */
export const wrong_state = defineReason("rest/wrong_state", {
  kind: "precondition_failed",
  text: "It exists, but its state does not allow this operation.",
});

/** The REST API failed. */
export const upstream_failed = defineReason("rest/upstream_failed", {
  kind: "upstream_failed",
  text: "The service behind this tool reported a failure of its own.",
});

/** It is not there, or it is hidden from these credentials: many services do not tell which. */
export const not_found = defineReason("rest/not_found", {
  kind: "not_found",
  text: "It does not exist, or it is not accessible.",
});

/** It was there once and will not come back. */
export const gone = defineReason("rest/gone", {
  kind: "not_found",
  text: "It existed once, but it is gone for good.",
});

/** The copy that the change was based on is old, or none was named. */
export const stale = defineReason("rest/stale", {
  kind: "conflict",
  text: "It was changed meanwhile, so it has to be read again before it is changed.",
});

/** It is locked, and nobody said for how long. */
export const locked = defineReason("rest/locked", {
  kind: "precondition_failed",
  text: "It is locked, so nothing can be done with it at the moment.",
});

/** Somebody has to pay first, or with something else. */
export const payment_required = defineReason("rest/payment_required", {
  kind: "precondition_failed",
  text: "The service refused the call for reasons of payment.",
  details: { recourse: [{ do: "ask_user" }] },
});

/** The law forbids the service to answer. */
export const legal = defineReason("rest/legal", {
  kind: "forbidden",
  text: "The service may not do this for legal reasons.",
});

/** The service takes the request for an attack or a robot. */
export const rejected = defineReason("rest/rejected", {
  kind: "forbidden",
  text: "The service rejected the request for reasons of security.",
});

/** A value lies beyond what there is. */
export const out_of_range = defineReason("rest/out_of_range", {
  kind: "invalid_input",
  text: "An argument asks for something beyond the range that exists.",
});

/** The service takes this call only with an idempotency key. */
export const key_missing = defineReason("rest/key_missing", {
  kind: "invalid_request",
  text: "The service takes this call only with an idempotency key, and none was sent.",
});

/** The service put the request back untouched. */
export const not_taken = defineReason("rest/not_taken", {
  kind: "overloaded",
  text: "The service did not take the request at this moment and did nothing with it.",
});

/** A refusal by a status that says nothing more; for decoders. */
export const refused = defineReason("rest/refused", {
  kind: "unknown",
  text: "The service refused the request[ with HTTP status {status}].",
  slots: { status: count },
  details: { effect: "none" },
});

/** The service sent the request elsewhere, and it was not followed. */
export const unexpected_redirect = defineReason("rest/unexpected_redirect", {
  kind: "unavailable",
  text: "The service answered with a redirect that is not followed.",
  details: { retry: { allowed: false } },
});

/** The service said yes, but in a form that cannot be read. */
export const unexpected_content = defineReason("rest/unexpected_content", {
  kind: "upstream_failed",
  text: "The service answered with content that cannot be read here.",
});

/** The service said yes at too great a length. */
export const response_too_large = defineReason("rest/response_too_large", {
  kind: "upstream_failed",
  text: "The answer of the service is too large to be passed on.",
  details: { retry: { allowed: false } },
});

/** The service does not accept the credential of this server; the caller has no part in it. */
export const upstream_auth = defineReason("rest/upstream_auth", {
  kind: "unavailable",
  text: "The service behind this tool is not available at the moment.",
  details: { effect: "none", retry: { allowed: false } },
});

/** The credential of this server does not reach as far as this operation. */
export const upstream_forbidden = defineReason("rest/upstream_forbidden", {
  kind: "unavailable",
  text: "The service behind this tool is not available for this operation.",
  details: { effect: "none", retry: { allowed: false } },
});

/** The account of this server at the service is unpaid or used up. */
export const upstream_account = defineReason("rest/upstream_account", {
  kind: "unavailable",
  text: "The service behind this tool does not serve this server's account at the moment.",
  details: { effect: "none", retry: { allowed: false } },
});

/** Version, format or headers of the request do not suit the service. */
export const protocol_mismatch = defineReason("rest/protocol_mismatch", {
  kind: "unavailable",
  text: "The service behind this tool does not take requests of this format.",
  details: { effect: "none", retry: { allowed: false } },
});

/** The address of the operation does not exist at the service. */
export const route_missing = defineReason("rest/route_missing", {
  kind: "unavailable",
  text: "The service behind this tool does not have this operation at its address.",
  details: { effect: "none", retry: { allowed: false } },
});

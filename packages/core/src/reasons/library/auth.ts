import { count, idSlot, name, names, reason, time } from "./define.ts";

/** Credentials are missing or not accepted. The caller does not learn why. */
export const unauthorized = reason("auth/unauthorized", "unauthenticated", "Valid credentials are required.");
/** The credentials were not accepted. It is for decoders: your own answer should not say why. */
export const failed = reason("auth/failed", "unauthenticated", "The credentials were not accepted.", { reason: name });
/** The credentials are wrong. It is for decoders, like `failed`. */
export const invalid_credentials = reason("auth/invalid_credentials", "unauthenticated", "The credentials are not valid.");
/** The token has expired. It is for decoders, like `failed`. */
export const token_expired = reason("auth/token_expired", "unauthenticated", "The token has expired.", { expiredAt: count });
/** The Authorization header is missing or malformed. */
export const header_invalid = reason("auth/header_invalid", "unauthenticated", "The Authorization header is missing or malformed.");
/** The caller is known but may not do this. */
export const not_authorized = reason("auth/not_authorized", "forbidden", "This call is not allowed[ without the role {requiredRole}].", { operation: name, requiredRole: name });
/** The token lacks a scope. */
export const insufficient_scope = reason("auth/insufficient_scope", "forbidden", "The token lacks a scope that this call needs[: {scopes}].", { scopes: names });
/** Access is denied. The caller does not learn why. */
export const access_denied = reason("auth/access_denied", "forbidden", "Access is denied.");
/** The service is used on behalf of a person, and the caller has shown no token of one. */
export const token_required = reason("auth/token_required", "forbidden", "This call is made on behalf of a person, so it needs a token of that person; an API key is not enough.");
/** The authorization server gave no token for a service on behalf of this caller. */
export const exchange_refused = reason("auth/exchange_refused", "forbidden", "The sign-in service does not let this caller use the service behind this tool; the user may have to sign in again, or to ask for access.");
/** A person has to approve this call. The link for the approval is in the move `ask_user`. */
export const approval_required = reason("auth/approval_required", "approval_required", "A person has to approve this call first[ (approval {approval})][, by {expiresAt}].", { approval: idSlot, expiresAt: time });
/** A person refused the approval. */
export const approval_denied = reason("auth/approval_denied", "forbidden", "The approval of this call was denied[ (approval {approval})].", { approval: idSlot }, { recourse: [{ do: "stop" }] });
/** A policy refused the call, and nobody was asked. */
export const approval_denied_by_policy = reason("auth/approval_denied_by_policy", "forbidden", "A policy does not allow this call, and nobody can approve it here.", {}, { recourse: [{ do: "stop" }] });
/** The approval has expired or was already used. */
export const approval_expired = reason("auth/approval_expired", "approval_required", "The approval has expired or was used already; a new approval is needed[ (approval {approval})][, by {expiresAt}].", {
  approval: idSlot,
  expiresAt: time,
});
/** Nobody knows at the moment whether the call is approved. It was not made. */
export const approval_unavailable = reason("auth/approval_unavailable", "unavailable", "Approvals cannot be looked up at the moment, so the call was not made.", {}, { effect: "none", retry: { allowed: true, afterMs: 1_000 } });

import { count, defineLibraryReason, idSlot, name, names, time } from "./define.ts";

/** Credentials are missing or not accepted. The caller does not learn why. */
export const unauthorized = defineLibraryReason("auth/unauthorized", {
  kind: "unauthenticated",
  text: "Valid credentials are required.",
});

/** The credentials were not accepted. It is for decoders: your own answer should not say why. */
export const failed = defineLibraryReason("auth/failed", {
  kind: "unauthenticated",
  text: "The credentials were not accepted.",
  slots: { reason: name },
});

/** The credentials are wrong. It is for decoders, like `failed`. */
export const invalid_credentials = defineLibraryReason("auth/invalid_credentials", {
  kind: "unauthenticated",
  text: "The credentials are not valid.",
});

/** The token has expired. It is for decoders, like `failed`. */
export const token_expired = defineLibraryReason("auth/token_expired", {
  kind: "unauthenticated",
  text: "The token has expired.",
  slots: { expiredAt: count },
});

/** The Authorization header is missing or malformed. */
export const header_invalid = defineLibraryReason("auth/header_invalid", {
  kind: "unauthenticated",
  text: "The Authorization header is missing or malformed.",
});

/** The caller is known but may not do this. */
export const not_authorized = defineLibraryReason("auth/not_authorized", {
  kind: "forbidden",
  text: "This call is not allowed[ without the role {requiredRole}].",
  slots: { operation: name, requiredRole: name },
});

/** The token lacks a scope. */
export const insufficient_scope = defineLibraryReason("auth/insufficient_scope", {
  kind: "forbidden",
  text: "The token lacks a scope that this call needs[: {scopes}].",
  slots: { scopes: names },
});

/** Access is denied. The caller does not learn why. */
export const access_denied = defineLibraryReason("auth/access_denied", {
  kind: "forbidden",
  text: "Access is denied.",
});

/** The service is used on behalf of a person, and the caller has shown no token of one. */
export const token_required = defineLibraryReason("auth/token_required", {
  kind: "forbidden",
  text: "This call is made on behalf of a person, so it needs a token of that person; an API key is not enough.",
});

/** The authorization server gave no token for a service on behalf of this caller. */
export const exchange_refused = defineLibraryReason("auth/exchange_refused", {
  kind: "forbidden",
  text: "The sign-in service does not let this caller use the service behind this tool; the user may have to sign in again, or to ask for access.",
});

/** A person has to approve this call. The link for the approval is in the move `ask_user`. */
export const approval_required = defineLibraryReason("auth/approval_required", {
  kind: "approval_required",
  text: "A person has to approve this call first[ (approval {approval})][, by {expiresAt}].",
  slots: { approval: idSlot, expiresAt: time },
});

/** A person refused the approval. */
export const approval_denied = defineLibraryReason("auth/approval_denied", {
  kind: "forbidden",
  text: "The approval of this call was denied[ (approval {approval})].",
  slots: { approval: idSlot },
  details: { recourse: [{ do: "stop" }] },
});

/** A policy refused the call, and nobody was asked. */
export const approval_denied_by_policy = defineLibraryReason("auth/approval_denied_by_policy", {
  kind: "forbidden",
  text: "A policy does not allow this call, and nobody can approve it here.",
  details: { recourse: [{ do: "stop" }] },
});

/** The approval has expired or was already used. */
export const approval_expired = defineLibraryReason("auth/approval_expired", {
  kind: "approval_required",
  text: "The approval has expired or was used already; a new approval is needed[ (approval {approval})][, by {expiresAt}].",
  slots: { approval: idSlot, expiresAt: time },
});

/** Nobody knows at the moment whether the call is approved. It was not made. */
export const approval_unavailable = defineLibraryReason("auth/approval_unavailable", {
  kind: "unavailable",
  text: "Approvals cannot be looked up at the moment, so the call was not made.",
  details: { effect: "none", retry: { allowed: true, afterMs: 1_000 } },
});

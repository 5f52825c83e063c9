import type * as auth from "../../reasons/library/auth.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `auth`. */
export const authDocs = {
  unauthorized: {
    title: "Credentials required",
    causes: [
      "No credentials were sent.",
      "The key or token is unknown, revoked, disabled or expired; which of these is kept from callers on purpose.",
      "The credentials belong to another environment.",
    ],
    remedies: [
      "The host obtains valid credentials and makes the call once more.",
      "Check that the Authorization header is sent and reaches the server.",
      "Make a new key in the dashboard of the service if the old one was disabled.",
      "Do not read a cause into the answer: all authentication failures look alike.",
    ],
    severity: "warning",
    codes: [
      { system: "closient", code: "-32001", note: "May be made again after authentication." },
      { system: "platica", code: "401", note: "Key missing, not valid or disabled." },
      { system: "qaqnuz", code: "permission", note: "Every authentication failure gives one and the same answer." },
    ],
  },
  failed: {
    title: "Authentication failed",
    causes: [
      "The token is not one that this server accepts.",
      "The token was issued for another audience or by another issuer.",
      "The signature of the token could not be verified.",
    ],
    remedies: [
      "The host signs in again and makes the call once more with the new credentials.",
      "Check that the token was issued for this very server.",
      "The operator compares issuer, audience and clock of both sides.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32051" }],
  },
  invalid_credentials: {
    title: "Credentials not valid",
    causes: [
      "The key or password is mistyped or was cut when it was copied.",
      "The credentials were replaced by new ones.",
      "The credentials of another account or environment were used.",
    ],
    remedies: [
      "The host takes the credentials that are valid now and makes the call once more.",
      "Check where the host reads them from: a stale variable or file is common.",
      "Do not try several credentials in a row, since accounts get locked.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32053" }],
  },
  token_expired: {
    title: "Token expired",
    causes: [
      "The lifetime of the token has ended.",
      "The refresh of the token failed or never ran.",
      "The clocks of client and server differ.",
    ],
    remedies: [
      "The host refreshes the token and makes the call once more.",
      "If the refresh is refused, the user signs in again.",
      "Refresh a little before the end of the lifetime, not after it.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32054" }],
  },
  header_invalid: {
    title: "Authorization header missing or malformed",
    causes: [
      "The request has no Authorization header.",
      "The header does not start with the scheme that the server expects.",
      "A proxy removed the header, or the key in it has the wrong prefix.",
    ],
    remedies: [
      "The host sends the header as the server documents it, usually `Bearer` and the key.",
      "Look at the request after the last proxy, not at the one that was meant.",
      "Check for line breaks and quotation marks around the key.",
    ],
    severity: "warning",
    codes: [{ system: "platica", code: "-32001", note: "Not of the form `Bearer pl_key_…`." }],
  },
  not_authorized: {
    title: "Not allowed",
    causes: [
      "The role of the caller does not include this operation.",
      "The key has no access to this workspace or to this thing.",
      "A policy forbids the operation for everybody in this group.",
    ],
    remedies: [
      "A person grants the role or uses a key that has the access.",
      "Do not repeat the call with the same identity.",
      "Check that the call names the right workspace or account.",
    ],
    severity: "warning",
    codes: [
      { system: "erlmcp", code: "-32052" },
      { system: "platica", code: "403", note: "The key has no access to that workspace or thing." },
    ],
  },
  insufficient_scope: {
    title: "Scope missing",
    causes: [
      "The token was requested with fewer scopes than the call needs.",
      "The user did not consent to the scope.",
      "The tool needs a scope that was introduced after the token was made.",
    ],
    remedies: [
      "A person consents to the scope, then the host gets a new token with it.",
      "Do not repeat the call with the same token.",
      "Ask for the scopes of all tools in use when signing in.",
    ],
    severity: "warning",
    codes: [{ system: "closient", code: "-32002", note: "For example `qr:generate` for making QR addresses." }],
  },
  access_denied: {
    title: "Access denied",
    causes: [
      "A policy or an entitlement refuses this caller; the details are kept from callers on purpose.",
      "The account is suspended or the plan does not include this.",
      "The call comes from a network or at a time that is not allowed.",
    ],
    remedies: [
      "A person checks entitlement, scopes and policy of the caller.",
      "Do not retry blindly and do not guess the reason from the wording.",
      "The operator finds the decision in the log of the policy.",
    ],
    severity: "warning",
    codes: [
      { system: "erlmcp", code: "-32056" },
      { system: "qaqnuz", code: "permission", note: "Policy, scope or entitlement; check the set-up of the key." },
    ],
  },
  approval_required: {
    title: "Approval required",
    causes: [
      "The tool does something that a person wants to see first.",
      "A policy asks for approval above a limit, such as an amount.",
      "The approval that exists is for other arguments.",
    ],
    remedies: [
      "A person approves this very call; then it is made again unchanged.",
      "Tell the user what will be done, and show the link if there is one.",
      "Do not look for another tool that reaches the same effect without approval.",
    ],
    severity: "info",
    codes: [{ system: "qaqnuz", code: "permission", note: "When the action waits for an approval." }],
  },
  approval_denied: {
    title: "Approval denied",
    causes: [
      "The person who was asked said no.",
      "The same call was refused a short time ago, and nobody is asked again.",
    ],
    remedies: [
      "A person has decided: respect it and stop.",
      "Tell the user that the call was not made.",
      "Make a new proposal only if the user asks for one.",
    ],
    severity: "info",
  },
  approval_denied_by_policy: {
    title: "Denied by policy",
    causes: [
      "A rule of the operator refuses this tool for everybody, and nobody is asked.",
      "The rule is wider than it was meant to be, such as a pattern that matches other tools too.",
    ],
    remedies: [
      "Stop: no approval can allow this call.",
      "Do not look for another tool that reaches the same effect.",
      "A person asks the operator whether the rule is meant for this tool.",
    ],
    severity: "info",
  },
  approval_expired: {
    title: "Approval expired or used",
    causes: [
      "The approval was given too long ago.",
      "The approval was good for one call, and that call was made.",
      "The arguments changed after the approval.",
    ],
    remedies: [
      "A person approves again; then the call is made at once.",
      "Check first whether the earlier call took effect, so that nothing is done twice.",
      "Ask for approval when everything is ready, not long before.",
    ],
    severity: "info",
  },
  approval_unavailable: {
    title: "Approvals not available",
    causes: [
      "The database in which approvals are kept does not answer.",
      "A gateway has just started or is about to stop, and has no connection to it.",
    ],
    remedies: [
      "Repeat the same call after the wait; nothing was done.",
      "An approval that was given before still counts, as long as it has not expired.",
      "The operator checks the database of the gateway.",
    ],
    severity: "error",
  },
} as const satisfies Record<keyof typeof auth, ReasonDoc>;

import type * as rest from "../../reasons/library/rest.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `rest`. */
export const restDocs = {
  invalid_arguments: {
    title: "Service rejected the arguments",
    causes: [
      "The service has stricter rules than the tool's schema.",
      "An identifier is of the wrong form for the service.",
      "The interface of the service has changed.",
    ],
    remedies: [
      "Correct the fields that the issues point to and call again.",
      "Do not send the same arguments again.",
      "Authors of servers bring the rules of the service into the tool's schema.",
    ],
    severity: "info",
    codes: [{ system: "platica", code: "400", note: "`errors[]` names the fields." }],
  },
  workspace_missing: {
    title: "Workspace not named",
    causes: [
      "The key is good for several workspaces and the call names none.",
      "The workspace was named, but the key does not reach it.",
    ],
    remedies: [
      "Pass the id of one workspace as `workspace` and call again.",
      "Ask the user which workspace is meant if that is not clear.",
      "Use a key for a single workspace where only one is needed.",
    ],
    severity: "info",
    codes: [{ system: "platica", code: "400", note: "When the text says that a valid workspace must be specified." }],
  },
  wrong_state: {
    title: "State does not allow it",
    causes: [
      "The thing is not finished, not active or already closed.",
      "Something that belongs to it is missing, such as the workspace of an agent.",
      "Somebody changed its state meanwhile.",
    ],
    remedies: [
      "Read the details, bring it into the state that is needed, then call again.",
      "Tell the user what is missing if no tool can change the state.",
    ],
    severity: "info",
    codes: [{ system: "platica", code: "422" }],
  },
  upstream_failed: {
    title: "Service failed",
    causes: [
      "The service behind the tool has an error of its own.",
      "The service is being deployed or is short of a resource.",
    ],
    remedies: [
      "The operator looks at the logs of the service, or asks its support.",
      "Repeat only where repeating does no harm; otherwise look at the state first.",
      "If it persists, tell the user that the service has a fault.",
    ],
    severity: "error",
    codes: [{ system: "platica", code: "500", note: "Its clients may retry." }],
  },
  not_found: {
    title: "Not found or not accessible",
    causes: [
      "The identifier is wrong, or what it names was deleted.",
      "The service hides what these credentials may not see.",
      "It belongs to another account or workspace.",
    ],
    remedies: [
      "List or search, then call again with an identifier that was returned.",
      "Ask the user for access if it is sure to exist.",
      "Do not send the same call again.",
    ],
    severity: "info",
  },
  gone: {
    title: "Gone for good",
    causes: ["It was deleted, and the service keeps that in mind.", "This version of the interface was switched off."],
    remedies: [
      "Choose another, or tell the user that it no longer exists.",
      "Authors of servers look whether the service has moved the operation.",
    ],
    severity: "info",
  },
  stale: {
    title: "Changed by another user meanwhile",
    causes: [
      "Somebody changed it after it was read.",
      "The service takes changes only with the version that they are based on.",
    ],
    remedies: [
      "Read it again, apply the change to what is there now, then call again.",
      "Do not send the old version again.",
      "Authors of servers pass the version on as an argument.",
    ],
    severity: "info",
  },
  locked: {
    title: "Locked",
    causes: ["Somebody works on it and has locked it.", "The account or the shop is locked by the service."],
    remedies: ["Find out who holds the lock and wait until it is lifted.", "Tell the user if no tool can lift it."],
    severity: "info",
  },
  payment_required: {
    title: "Refused for reasons of payment",
    causes: [
      "A card was declined or has expired.",
      "The plan does not include this operation.",
      "An invoice of the account is open.",
    ],
    remedies: [
      "Ask the user to settle the payment or to name another means.",
      "Do not repeat the call before that is done.",
    ],
    severity: "info",
  },
  legal: {
    title: "Not available for legal reasons",
    causes: ["The law of a country forbids the service to show it.", "A court or an authority has had it removed."],
    remedies: ["Tell the user that the service may not answer.", "Do not try to reach it by another way."],
    severity: "info",
  },
  rejected: {
    title: "Rejected for reasons of security",
    causes: [
      "The service takes the caller for a robot or an attacker.",
      "The request holds something that a filter does not let pass.",
    ],
    remedies: [
      "Tell the user; a person has to ask the service to let the caller in.",
      "Do not repeat the call, since that confirms the suspicion.",
    ],
    severity: "warning",
  },
  out_of_range: {
    title: "Beyond the range",
    causes: ["A page, an offset or a range lies behind the end.", "A number is larger or smaller than what exists."],
    remedies: ["Ask for a part that exists, starting from the beginning.", "Read the size first, then call again."],
    severity: "info",
  },
  key_missing: {
    title: "Idempotency key missing",
    causes: [
      "The service demands an idempotency key for calls that change something.",
      "The calling software does not send one.",
    ],
    remedies: ["Authors of servers send a key with this operation.", "Do not repeat the call without a key."],
    severity: "warning",
  },
  not_taken: {
    title: "Not taken at this moment",
    causes: [
      "The request came over a connection that is meant for another host.",
      "The request came so early that it could have been replayed.",
    ],
    remedies: [
      "Make the same call again, once: nothing was done with it.",
      "The operator looks at the connections if it happens often.",
    ],
    severity: "info",
  },
  refused: {
    title: "Refused without a known cause",
    causes: [
      "The service uses a status of its own that says only that the request was refused.",
      "Something between the client and the service refused it.",
    ],
    remedies: [
      "Stop and tell the user that the service refused the request.",
      "The operator looks the status up in the documentation of the service.",
    ],
    severity: "warning",
  },
  unexpected_redirect: {
    title: "Unexpected redirect",
    causes: ["The service has moved, or wants another host name or https.", "A page for signing in stands in the way."],
    remedies: [
      "The operator corrects the address of the service.",
      "Look at the state before a change is repeated, since it may have been carried out.",
    ],
    severity: "error",
  },
  unexpected_content: {
    title: "Answer cannot be read",
    causes: [
      "Something between answered with a web page of its own.",
      "The service answered in another format, or the answer was cut.",
    ],
    remedies: [
      "Look at the state first: the call itself was carried out.",
      "The operator compares the answer with the description of the service.",
      "A call that only reads may be repeated.",
    ],
    severity: "error",
  },
  response_too_large: {
    title: "Answer too large",
    causes: [
      "The call asks for more than can be passed on.",
      "The limit of this server is smaller than what the service sends.",
    ],
    remedies: [
      "Ask for less: a smaller page, fewer fields, a narrower filter.",
      "A call that changes something was carried out, so do not repeat it.",
      "The operator raises the limit if such answers are normal.",
    ],
    severity: "warning",
  },
  upstream_auth: {
    title: "Credential of the server not accepted",
    causes: [
      "The key or token that this server uses has expired or was revoked.",
      "The key was not set, or belongs to another environment.",
    ],
    remedies: [
      "The operator renews the credential of this server.",
      "Tell the user that the service is not available; signing in again does not help.",
    ],
    severity: "critical",
  },
  upstream_forbidden: {
    title: "Credential of the server not sufficient",
    causes: ["The key of this server lacks a right that the operation needs.", "The service has withdrawn a right."],
    remedies: [
      "The operator gives the key of this server the right that is missing.",
      "Tell the user that this operation is not available here.",
    ],
    severity: "error",
  },
  upstream_account: {
    title: "Account of the server not served",
    causes: ["The quota of the account that this server uses is used up.", "An invoice of that account is open."],
    remedies: [
      "The operator pays, or raises the quota.",
      "Tell the user that the service is not available at the moment.",
    ],
    severity: "critical",
  },
  protocol_mismatch: {
    title: "Format not taken by the service",
    causes: [
      "The service does not take the media type or the version that was sent.",
      "The interface of the service has changed.",
    ],
    remedies: [
      "The operator compares the description of the service with what it takes now.",
      "Do not repeat the call, since other arguments do not help.",
    ],
    severity: "error",
  },
  route_missing: {
    title: "Operation missing at the service",
    causes: ["The address of the service is wrong, or its version.", "The service no longer offers the operation."],
    remedies: [
      "The operator corrects the address or the description of the service.",
      "Choose another tool; other arguments do not help.",
    ],
    severity: "error",
  },
} as const satisfies Record<keyof typeof rest, ReasonDoc>;

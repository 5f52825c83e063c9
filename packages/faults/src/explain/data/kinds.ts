import type { Kind } from "../../fault/kinds.ts";
import { SEVERITY_BY_KIND } from "../../fault/severity.ts";
import type { KindDoc } from "../doc.ts";

/** Documentation of the kinds, for reasons that have none of their own. */
export const KIND_DOCS = {
  invalid_input: {
    title: "Invalid input",
    meaning: "The arguments are wrong, whatever the state of the world.",
    causes: ["An argument is missing, misspelt or of the wrong type.", "An argument breaks a rule of the tool."],
    remedies: ["Correct the arguments and call again.", "Do not send the same arguments again."],
    severity: SEVERITY_BY_KIND.invalid_input,
  },
  invalid_request: {
    title: "Invalid request",
    meaning: "The message itself is malformed, before any tool or argument comes into play.",
    causes: ["The software that sends the request builds it wrongly.", "Something changed the message on its way."],
    remedies: ["The host software corrects how it builds the message.", "A model cannot help it with other arguments."],
    severity: SEVERITY_BY_KIND.invalid_request,
  },
  unauthenticated: {
    title: "Not authenticated",
    meaning: "The server does not know who is calling.",
    causes: ["Credentials are missing, wrong or expired.", "They were issued for another server."],
    remedies: [
      "The host obtains valid credentials and makes the call once more.",
      "If that fails too, the user signs in again.",
    ],
    severity: SEVERITY_BY_KIND.unauthenticated,
  },
  forbidden: {
    title: "Forbidden",
    meaning: "The caller is known and is not allowed to do this, by scope, policy or entitlement.",
    causes: ["A role, a scope or an entitlement is missing.", "A policy forbids it."],
    remedies: ["A person grants access or decides to do without.", "Do not repeat the call as it is."],
    severity: SEVERITY_BY_KIND.forbidden,
  },
  approval_required: {
    title: "Approval required",
    meaning: "The call is allowed once a person approves this very call.",
    causes: ["The tool does something that a person wants to see first.", "An earlier approval does not cover it."],
    remedies: ["A person approves, then the same call is made again.", "Tell the user what is going to be done."],
    severity: SEVERITY_BY_KIND.approval_required,
  },
  rate_limited: {
    title: "Rate limited",
    meaning: "The caller's share is used up and comes back soon.",
    causes: ["Too many calls were made in a short time.", "Several callers share one limit."],
    remedies: ["Wait as long as the answer says, then make the same call again.", "Make fewer calls."],
    severity: SEVERITY_BY_KIND.rate_limited,
  },
  overloaded: {
    title: "Overloaded",
    meaning: "The service refuses calls because it has too many, whoever makes them.",
    causes: ["More calls arrive than can be served.", "A pool or a queue is full."],
    remedies: [
      "Wait, then make the same call again, with growing pauses.",
      "The operator adds capacity if it happens often.",
    ],
    severity: SEVERITY_BY_KIND.overloaded,
  },
  timeout: {
    title: "Timeout",
    meaning: "There was no answer in time, and whether the call was carried out is not known.",
    causes: ["The work takes longer than the limit.", "The server or the network is slow."],
    remedies: [
      "The engine repeats the call only where that does no harm; otherwise look at the state first.",
      "Ask for less, or allow more time.",
    ],
    severity: SEVERITY_BY_KIND.timeout,
  },
  unavailable: {
    title: "Unavailable",
    meaning: "A service that the call needs could not be reached, or went away.",
    causes: ["The service is down or restarting.", "The network is interrupted."],
    remedies: [
      "The operator brings the service back.",
      "Repeat after a wait only where nothing was applied or repeating does no harm.",
    ],
    severity: SEVERITY_BY_KIND.unavailable,
  },
  upstream_failed: {
    title: "Upstream failed",
    meaning: "A service that the call needs answered with a failure of its own.",
    causes: ["The service has an error.", "Its answer could not be understood."],
    remedies: [
      "The operator looks at the service behind the tool.",
      "Repeat only where repeating does no harm; otherwise look at the state first.",
    ],
    severity: SEVERITY_BY_KIND.upstream_failed,
  },
  not_found: {
    title: "Not found",
    meaning: "The tool, resource, prompt or thing that is named is not there.",
    causes: ["The name is misspelt.", "It was removed, or never existed."],
    remedies: ["Use a name or id that exists.", "Do not repeat the same call."],
    severity: SEVERITY_BY_KIND.not_found,
  },
  conflict: {
    title: "Conflict",
    meaning: "The world has changed, or the thing exists already.",
    causes: ["Somebody else changed it meanwhile.", "It was created before."],
    remedies: ["Read the current state and decide anew.", "If it is as wanted, the work is done."],
    severity: SEVERITY_BY_KIND.conflict,
  },
  precondition_failed: {
    title: "Precondition failed",
    meaning: "Something else must happen before this call can succeed.",
    causes: ["A step was left out.", "The thing is in a state that does not allow it."],
    remedies: ["Do first what is missing, then call again.", "If that is not possible, tell the user."],
    severity: SEVERITY_BY_KIND.precondition_failed,
  },
  unsupported: {
    title: "Unsupported",
    meaning: "The method, capability, version or operation is not offered here.",
    causes: ["The server does not have it.", "It was not declared, or is switched off."],
    remedies: ["Choose another tool or another way.", "Read the declared capabilities first."],
    severity: SEVERITY_BY_KIND.unsupported,
  },
  quota_exhausted: {
    title: "Quota exhausted",
    meaning: "The caller's share is used up and does not come back soon.",
    causes: ["The allowance of a longer period is spent.", "A budget is set too low for the work."],
    remedies: ["A person raises the quota or decides to wait.", "Do not retry."],
    severity: SEVERITY_BY_KIND.quota_exhausted,
  },
  cancelled: {
    title: "Cancelled",
    meaning: "Somebody asked to stop.",
    causes: ["The user or the host cancelled the call.", "A deadline or a shutdown ended it."],
    remedies: ["Nobody has to act.", "Look at the state if it matters how far it came."],
    severity: SEVERITY_BY_KIND.cancelled,
  },
  internal: {
    title: "Internal error",
    meaning: "There is a bug or a broken promise on the server's side; a result of the wrong form counts too.",
    causes: ["The code threw something unexpected.", "A resource ran out."],
    remedies: [
      "The operator finds the cause under the incident id.",
      "Do not repeat the call: it may have taken effect.",
    ],
    severity: SEVERITY_BY_KIND.internal,
  },
  unknown: {
    title: "Unknown",
    meaning: "A reader could not tell what the failure is; servers never state it.",
    causes: ["The answer has a form or a code that is not known.", "Something between replaced the answer."],
    remedies: [
      "Nobody can act on it as it stands: do not repeat the call.",
      "Give the operator the message as it came over the wire.",
    ],
    severity: SEVERITY_BY_KIND.unknown,
  },
} as const satisfies Record<Kind, KindDoc>;

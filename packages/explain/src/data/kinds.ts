import type { Kind } from "@recourse/core";
import { SEVERITY_BY_KIND } from "@recourse/core";
import type { KindDoc } from "../doc.ts";

/** Documentation of the kinds, for reasons without documentation. */
export const KIND_DOCS = {
  invalid_input: {
    title: "Invalid input",
    meaning: "The arguments are wrong, regardless of the current state.",
    causes: ["An argument is missing, misspelt or has the wrong type.", "An argument violates a rule of the tool."],
    remedies: ["Correct the arguments and call again.", "Do not send the same arguments again."],
    severity: SEVERITY_BY_KIND.invalid_input,
  },
  invalid_request: {
    title: "Invalid request",
    meaning: "The message itself is malformed; the tool and its arguments are not the problem.",
    causes: ["The software that sends the request builds it incorrectly.", "Something changed the message on its way."],
    remedies: [
      "The host software has to build the message correctly.",
      "A model cannot fix this with other arguments.",
    ],
    severity: SEVERITY_BY_KIND.invalid_request,
  },
  unauthenticated: {
    title: "Not authenticated",
    meaning: "The server does not know who is calling.",
    causes: ["Credentials are missing, wrong or expired.", "They were issued for another server."],
    remedies: [
      "The host should obtain valid credentials, then repeat the call once.",
      "If that fails too, the user has to sign in again.",
    ],
    severity: SEVERITY_BY_KIND.unauthenticated,
  },
  forbidden: {
    title: "Forbidden",
    meaning: "The server knows the caller, but a scope, a policy or an entitlement does not allow the call.",
    causes: ["A role, a scope or an entitlement is missing.", "A policy forbids it."],
    remedies: ["A person has to grant access or decide to do without.", "Do not repeat the call unchanged."],
    severity: SEVERITY_BY_KIND.forbidden,
  },
  approval_required: {
    title: "Approval required",
    meaning: "A person has to approve exactly this call before it is allowed.",
    causes: [
      "The tool does something that a person has to approve first.",
      "An earlier approval does not cover the call.",
    ],
    remedies: ["A person has to approve; then repeat the same call.", "Tell the user what the call will do."],
    severity: SEVERITY_BY_KIND.approval_required,
  },
  rate_limited: {
    title: "Rate limited",
    meaning: "The caller has reached a limit that resets soon.",
    causes: ["Too many calls were made in a short time.", "Several callers share one limit."],
    remedies: ["Wait as long as the answer says, then repeat the same call.", "Make fewer calls."],
    severity: SEVERITY_BY_KIND.rate_limited,
  },
  overloaded: {
    title: "Overloaded",
    meaning: "The service refuses calls from all callers because it receives too many.",
    causes: ["More calls arrive than the service can handle.", "A pool or a queue is full."],
    remedies: [
      "Wait, then repeat the same call, with increasing pauses.",
      "The operator should add capacity if this happens often.",
    ],
    severity: SEVERITY_BY_KIND.overloaded,
  },
  timeout: {
    title: "Timeout",
    meaning: "No answer arrived in time, and it is not known whether the call was carried out.",
    causes: ["The work takes longer than the limit.", "The server or the network is slow."],
    remedies: [
      "The engine repeats the call only if repeating is safe; otherwise check the state first.",
      "Ask for less, or allow more time.",
    ],
    severity: SEVERITY_BY_KIND.timeout,
  },
  unavailable: {
    title: "Unavailable",
    meaning: "A service that the call needs was unreachable, or the connection to it was lost.",
    causes: ["The service is down or restarting.", "The network is interrupted."],
    remedies: [
      "The operator should restore the service.",
      "Repeat after a wait only if nothing was applied or repeating is safe.",
    ],
    severity: SEVERITY_BY_KIND.unavailable,
  },
  upstream_failed: {
    title: "Upstream failed",
    meaning: "A service that the call needs answered with an error of its own.",
    causes: ["The service has an error.", "Its answer could not be read."],
    remedies: [
      "The operator should check the service behind the tool.",
      "Repeat the call only if repeating is safe; otherwise check the state first.",
    ],
    severity: SEVERITY_BY_KIND.upstream_failed,
  },
  not_found: {
    title: "Not found",
    meaning: "The tool, resource, prompt or object that the call names does not exist.",
    causes: ["The name is misspelt.", "It was removed, or never existed."],
    remedies: ["Use a name or id that exists.", "Do not repeat the same call."],
    severity: SEVERITY_BY_KIND.not_found,
  },
  conflict: {
    title: "Conflict",
    meaning: "The state has changed, or the object already exists.",
    causes: ["Another user changed it in the meantime.", "It was created earlier."],
    remedies: ["Read the current state and decide again.", "If the state is already what you want, the work is done."],
    severity: SEVERITY_BY_KIND.conflict,
  },
  precondition_failed: {
    title: "Precondition failed",
    meaning: "Something else must happen before this call can succeed.",
    causes: ["A step was skipped.", "The object is in a state that does not allow the call."],
    remedies: ["First do what is missing, then call again.", "If that is not possible, tell the user."],
    severity: SEVERITY_BY_KIND.precondition_failed,
  },
  unsupported: {
    title: "Unsupported",
    meaning: "The server does not support the method, capability, version or operation.",
    causes: ["The server does not implement it.", "It was not declared, or is switched off."],
    remedies: ["Choose another tool or approach.", "Read the declared capabilities first."],
    severity: SEVERITY_BY_KIND.unsupported,
  },
  quota_exhausted: {
    title: "Quota exhausted",
    meaning: "The caller has used up a quota that does not reset soon.",
    causes: ["The allowance for a longer period is used up.", "A budget is too low for the work."],
    remedies: ["A person has to raise the quota or decide to wait.", "Do not retry."],
    severity: SEVERITY_BY_KIND.quota_exhausted,
  },
  cancelled: {
    title: "Cancelled",
    meaning: "The call was cancelled before it finished.",
    causes: ["The user or the host cancelled the call.", "A deadline or a shutdown ended it."],
    remedies: ["No action is needed.", "Check the state if it matters how far the call got."],
    severity: SEVERITY_BY_KIND.cancelled,
  },
  internal: {
    title: "Internal error",
    meaning: "The server has a bug or violated its own contract, for example with a result of the wrong form.",
    causes: ["The code threw an unexpected error.", "A resource ran out."],
    remedies: [
      "The operator finds the cause under the incident id.",
      "Do not repeat the call: it may have taken effect.",
    ],
    severity: SEVERITY_BY_KIND.internal,
  },
  unknown: {
    title: "Unknown",
    meaning: "The client could not tell what the failure is. Servers never send this kind.",
    causes: [
      "The form or code of the answer is not known.",
      "Something between client and server replaced the answer.",
    ],
    remedies: ["Do not repeat the call: it may have taken effect.", "Give the operator the raw message."],
    severity: SEVERITY_BY_KIND.unknown,
  },
} as const satisfies Record<Kind, KindDoc>;

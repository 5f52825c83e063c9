import type * as core from "../../reasons/library/core.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `core`. */
export const coreDocs = {
  internal: {
    title: "Internal error",
    causes: [
      "The code behind the tool threw something that it did not expect.",
      "The server ran out of memory, file handles or another resource.",
      "The server broke a promise of its own, such as an invariant.",
    ],
    remedies: [
      "The operator finds the stack and the raw cause under the incident id.",
      "Check whether the call took effect before anybody makes it again.",
      "If a resource ran out, the operator restarts the server and raises the limit.",
      "Report it with the incident id and the steps that lead to it: it is a bug.",
    ],
    severity: "error",
    codes: [
      { system: "closient", code: "-32300", note: "Its clients may retry with back-off." },
      { system: "onx", code: "-32603", note: "A JSON-RPC error." },
      { system: "erlmcp", code: "-32603" },
      { system: "platica", code: "-32603", note: "An exception that nobody handled; its clients may retry." },
    ],
  },
  unrecognised: {
    title: "Failure not understood",
    causes: [
      "The peer answered with a code or a text that no dialect knows.",
      "The peer speaks a newer version, or a dialect that is not switched on here.",
      "Something between client and server replaced the answer by its own.",
    ],
    remedies: [
      "Nobody can act on it as it stands: do not repeat the call, since it may have taken effect.",
      "Show the user the quotation, if there is one.",
      "Name the peer's dialect in the configuration, so that its codes are understood.",
      "Give the operator the message as it came over the wire, so that a mapping can be added.",
    ],
    severity: "error",
  },
  validation_failed: {
    title: "Arguments not valid",
    causes: [
      "An argument has the wrong type, is out of range or is not one of the choices.",
      "An argument is misspelt, or belongs to another tool.",
      "The call was written for an older schema of the tool.",
    ],
    remedies: [
      "Correct the arguments that the issues point to and call again.",
      "Do not send the same arguments again: the answer stays the same.",
      "Read the input schema again, since it may have changed.",
      "Authors of servers name the field of each problem, so that no caller has to guess.",
    ],
    severity: "info",
    codes: [
      { system: "closient", code: "-32101" },
      { system: "onx", code: "2001" },
      { system: "erlmcp", code: "-32007" },
      { system: "qaqnuz", code: "validation" },
    ],
  },
  missing_field: {
    title: "Required argument missing",
    causes: [
      "The caller left out an argument that has no default.",
      "The argument was sent under another name or at another level.",
      "The argument was sent as null, which counts as missing here.",
    ],
    remedies: [
      "Add the argument that is named and call again.",
      "If its value is not known, ask the user instead of inventing one.",
      "Look at the list of required arguments in the input schema.",
    ],
    severity: "info",
    codes: [{ system: "onx", code: "2002" }],
  },
  invalid_format: {
    title: "Argument in the wrong format",
    causes: [
      "A date, an address or an identifier is written in another notation than the one asked for.",
      "A value was shortened, padded or wrapped in quotation marks on its way.",
      "A check digit does not fit the rest of the number.",
    ],
    remedies: [
      "Write the argument in the format that the schema describes and call again.",
      "Compare it with an example from the tool's description.",
      "If the value came from a user, ask for it again rather than repairing it by guess.",
    ],
    severity: "info",
    codes: [{ system: "onx", code: "2003" }],
  },
  unprocessable: {
    title: "Arguments make no sense together",
    causes: [
      "Two arguments contradict each other, such as an end before a start.",
      "Every argument fits its type, but a rule of the domain forbids the combination.",
      "An argument is allowed only together with another one that is missing.",
    ],
    remedies: [
      "Change the arguments so that they agree with each other and call again.",
      "Read the rules in the tool's description: the schema alone does not show them.",
      "Leave out optional arguments that are not needed.",
    ],
    severity: "info",
    codes: [{ system: "closient", code: "-32102" }],
  },
  not_found: {
    title: "Not found",
    causes: [
      "The identifier is mistyped or belongs to something else.",
      "The thing was deleted, moved or never created.",
      "The thing lives in another workspace or account than the one asked.",
    ],
    remedies: [
      "Choose another identifier: list or search what exists, then call again.",
      "Name the workspace or account, if the call can take one.",
      "Tell the user that it does not exist; do not repeat the same call.",
    ],
    severity: "info",
    codes: [
      { system: "closient", code: "-32200" },
      { system: "platica", code: "404", note: "Not in that workspace; a key for several workspaces has to name one." },
    ],
  },
  conflict: {
    title: "Conflict with the current state",
    causes: [
      "It exists already, or another user has claimed it.",
      "It was changed after it was last read.",
      "Another operation on the same thing is under way.",
    ],
    remedies: [
      "Read the current state and decide anew whether the call is still needed.",
      "If the state is already as wanted, treat the work as done.",
      "Otherwise build the call again from what was read just now.",
    ],
    severity: "info",
    codes: [{ system: "closient", code: "-32201", note: "For example when another user has claimed it before." }],
  },
  rate_limited: {
    title: "Rate limit reached",
    causes: [
      "More calls were made in the window than the limit allows.",
      "Several agents or processes share one limit.",
      "Calls run in parallel or in a loop without any pause.",
    ],
    remedies: [
      "Wait as long as the answer says, then make the same call again.",
      "Without a stated wait, back off exponentially and add jitter.",
      "Make fewer calls: ask for more per call, keep results, poll less often.",
    ],
    severity: "warning",
    codes: [
      { system: "closient", code: "-32003", note: "Without `retry_after` its clients wait 5 s." },
      { system: "onx", code: "3001" },
      { system: "erlmcp", code: "-32010", note: "Without `retry_after` its clients wait 30 s." },
      { system: "qaqnuz", code: "retryable", note: "When the sentence contains “rate limit”." },
      { system: "platica", code: "429" },
    ],
  },
  quota_exhausted: {
    title: "Quota used up",
    causes: [
      "The allowance of a day, a month or a plan is spent.",
      "A budget for this user or key was set lower than the work needs.",
      "Earlier calls were larger than planned.",
    ],
    remedies: [
      "A person raises the quota, buys more or decides to wait for the next period.",
      "Do not retry: it does not come back within a conversation.",
      "Look at the limits in the fault for the date of the reset.",
    ],
    severity: "warning",
  },
  abnormal_usage: {
    title: "Calls look like a loop",
    causes: [
      "The same call was made again and again with the same failure.",
      "An agent works without a condition that ends it.",
      "A program walks through identifiers one by one.",
    ],
    remedies: [
      "A person looks at what the agent is doing; it should stop until then.",
      "Give the agent a limit of attempts, and let it stop at the first final answer.",
      "If the use is meant, the operator allows it for this caller.",
    ],
    severity: "warning",
  },
  overloaded: {
    title: "Service too busy",
    causes: [
      "More calls arrive than the service can serve, so it refuses some.",
      "A queue, a pool of connections or a pool of workers is full.",
      "The service is starting or draining.",
    ],
    remedies: [
      "Wait as long as the answer says, then make the same call again.",
      "Without a stated wait, back off exponentially with jitter, so that callers do not return together.",
      "The operator adds capacity if it happens often.",
    ],
    severity: "error",
    codes: [
      { system: "qaqnuz", code: "retryable", note: "Any other passing condition; honour the hint if one is given." },
    ],
  },
  busy: {
    title: "Data changed by others at this moment",
    causes: [
      "Two transactions touched the same rows and this one lost.",
      "Another process held a lock for too long.",
      "The database broke a deadlock by rolling this call back.",
    ],
    remedies: [
      "Wait a moment, then make the same call again: nothing was changed.",
      "Keep transactions short and let them take their locks in one order.",
      "Spread calls that write to the same record over time.",
    ],
    severity: "info",
  },
  timeout: {
    title: "No answer in time",
    causes: [
      "The operation takes longer than the limit.",
      "The server is under load or waits for a service of its own.",
      "The network is slow, or the answer was lost on its way.",
    ],
    remedies: [
      "The engine repeats the call only where that does no harm; otherwise look at the state first.",
      "Ask for less at once, or raise the limit for long operations.",
      "Use a progress token or a task for work that is known to take long.",
      "The operator checks the load of the server and of what is behind it.",
    ],
    severity: "error",
    codes: [
      { system: "onx", code: "3002" },
      { system: "erlmcp", code: "-32009" },
    ],
  },
  cancelled: {
    title: "Call cancelled",
    causes: [
      "The user or the host cancelled the call.",
      "The client closed the request because its own deadline passed.",
      "A shutdown ended the calls that were still running.",
    ],
    remedies: [
      "Nobody has to act: it was ended on purpose.",
      "Look at the state if it matters whether the call took effect.",
      "Start again only if the user asks for it.",
    ],
    severity: "info",
  },
  unavailable: {
    title: "Needed service cannot be reached",
    causes: [
      "The service behind the tool is down or restarting.",
      "The network between the server and the service is interrupted.",
      "The connection broke while the answer was awaited.",
    ],
    remedies: [
      "The operator brings the service back; its health page and the incident tell more.",
      "Repeat the call after a wait only where nothing was applied or repeating does no harm.",
      "If it lasts, treat it as an outage and tell the user.",
    ],
    severity: "error",
  },
  misconfigured: {
    title: "Needed service not set up correctly",
    causes: [
      "The address of the service is wrong or its name does not resolve.",
      "The certificate of the service is expired or not trusted.",
      "The server's own account at the service is missing, locked or lacks a right.",
      "A disk or a volume that it writes to is full or read-only.",
    ],
    remedies: [
      "The operator corrects the setting that the incident names.",
      "Do not retry: waiting changes nothing.",
      "Check settings at start-up, so that a wrong one shows before the first call.",
    ],
    severity: "error",
  },
  upstream_failed: {
    title: "Needed service has failed",
    causes: [
      "The service behind the tool answered with an error of its own.",
      "The service sent an answer that could not be read.",
      "A gateway in front of the service gave up.",
    ],
    remedies: [
      "The operator looks at the service behind the tool; its own answer is in the incident.",
      "Repeat with back-off only where repeating does no harm; otherwise look at the state first.",
      "If it persists, treat it as an outage of that service and tell the user.",
    ],
    severity: "error",
    codes: [{ system: "qaqnuz", code: "dependency", note: "Retry with back-off, honouring the hint if one is given." }],
  },
  precondition_failed: {
    title: "Something else has to happen first",
    causes: [
      "A step that this call builds on was skipped.",
      "The thing is in a state in which the operation is not possible.",
      "A setting or a consent is missing.",
    ],
    remedies: [
      "Do first what the message names, then make the call again.",
      "If a tool to call first is named, call that one.",
      "If nothing can be done about the state, tell the user instead of retrying.",
    ],
    severity: "info",
    codes: [{ system: "qaqnuz", code: "terminal", note: "Final for this input: show the failure, do not retry." }],
  },
  unsupported: {
    title: "Operation not supported",
    causes: [
      "The server does not offer this operation in this version.",
      "The feature is switched off, or not part of the plan.",
      "The caller expects a capability that was never declared.",
    ],
    remedies: [
      "Choose another tool or another way; the same call fails again.",
      "Read the declared capabilities before relying on one.",
      "The operator upgrades the server or switches the feature on, if it is needed.",
    ],
    severity: "warning",
  },
} as const satisfies Record<keyof typeof core, ReasonDoc>;

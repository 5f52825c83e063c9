import type * as tool from "../../reasons/library/tool.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `tool`. */
export const toolDocs = {
  not_found: {
    title: "Tool not found",
    causes: [
      "The name of the tool is misspelt or invented.",
      "The tool is not registered at this server.",
      "The tool was removed after it was listed.",
    ],
    remedies: [
      "Choose a name from `tools/list` and call that one.",
      "List again after a notification that the list has changed.",
      "The operator checks that the tool is registered.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32002" }],
  },
  unreachable: {
    title: "Tool not available to the caller",
    causes: [
      "The tool does not exist, is switched off, is sensitive or is out of scope; which of these is not told.",
      "The key lacks the entitlement for the tool.",
    ],
    remedies: [
      "Choose a tool from `tools/list`; the same call fails again.",
      "A person checks entitlement, scopes and approval of the key.",
      "Do not conclude anything from the wording, nor from an empty list of tools.",
    ],
    severity: "info",
    codes: [
      {
        system: "qaqnuz",
        code: "permission",
        note: "When the tool is unknown, switched off, sensitive or out of scope.",
      },
    ],
  },
  invalid_arguments: {
    title: "Tool arguments not valid",
    causes: [
      "A required argument is missing.",
      "An argument has another type or form than the schema asks for.",
      "The schema of the tool changed after it was listed.",
    ],
    remedies: [
      "Correct the arguments that the issues point to and call again in the same turn.",
      "Read the input schema in `tools/list` again.",
      "Do not send the same arguments again.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32034" }],
  },
  failed: {
    title: "Tool reported a failure",
    causes: [
      "The tool answered with `isError` and a sentence: it refused the call, or found nothing.",
      "The tool caught an error and returned its message.",
    ],
    remedies: [
      "Read the sentence: it is what the tool has to say about this call.",
      "Check whether the call took effect before you make it again.",
      "Authors of tools throw a reason, such as `fail.not_found`, so that callers know what to do next.",
    ],
    severity: "info",
  },
  execution_failed: {
    title: "Tool failed",
    causes: [
      "The code of the tool threw.",
      "Something that the tool needs failed and the tool did not say so more precisely.",
      "The arguments led the tool into a case that it does not handle.",
    ],
    remedies: [
      "The operator finds the cause under the incident id.",
      "Check whether the call took effect before anybody makes it again.",
      "Authors of tools throw a more specific reason for failures that they can foresee.",
    ],
    severity: "error",
    codes: [{ system: "erlmcp", code: "-32031" }],
  },
  timeout: {
    title: "Tool did not end in time",
    causes: [
      "The work takes longer than the limit of the tool.",
      "A service that the tool needs is slow.",
      "The arguments ask for very much at once.",
    ],
    remedies: [
      "The engine repeats the call only where that does no harm; otherwise look at the state first.",
      "Ask for less: a smaller range, fewer items.",
      "Authors of tools turn long work into a task, or report progress.",
      "The operator raises the limit of the tool.",
    ],
    severity: "error",
    codes: [{ system: "erlmcp", code: "-32032" }],
  },
  cancelled: {
    title: "Tool cancelled",
    causes: ["The user or the host cancelled the call while the tool ran.", "The client went away."],
    remedies: [
      "Nobody has to act: it was ended on purpose.",
      "Look at the state if it matters how far the tool came.",
      "Call again only if the user asks for it.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32033" }],
  },
  description_too_long: {
    title: "Tool description too long",
    causes: [
      "The description holds a manual instead of what a model needs to choose the tool.",
      "The description is generated and was not cut; 10,000 characters is the usual limit.",
    ],
    remedies: [
      "Shorten the description and register the tool again.",
      "Move examples and background into a resource or a prompt.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32011" }],
  },
  output_invalid: {
    title: "Result breaks the output schema",
    causes: [
      "The tool returned another form than its output schema promises.",
      "The schema was changed without the tool, or the tool without the schema.",
      "A service behind the tool started to answer differently.",
    ],
    remedies: [
      "The operator corrects the tool or its schema; the incident tells where they differ.",
      "Do not repeat the call: the tool ran and may have taken effect.",
      "Authors of tools test results against the schema.",
    ],
    severity: "error",
  },
  result_unsendable: {
    title: "Result could not be sent",
    causes: [
      "The result holds something that JSON cannot express, such as a cycle or a big integer.",
      "The connection closed after the tool had run.",
    ],
    remedies: [
      "The operator corrects the tool; the incident tells what could not be sent.",
      "Do not repeat the call: the tool ran and may have taken effect.",
      "Look at the state to see what the tool did.",
    ],
    severity: "error",
  },
  result_too_large: {
    title: "Result too large",
    causes: [
      "The call asks for more than fits into one answer.",
      "The tool has no pages, or the page size is too large.",
    ],
    remedies: [
      "Ask for less: a narrower filter, fewer fields or a smaller page.",
      "If the tool changes anything, look at the state before calling it again: it ran.",
      "Authors of tools return a link to a resource instead of a large content.",
    ],
    severity: "warning",
  },
} as const satisfies Record<keyof typeof tool, ReasonDoc>;

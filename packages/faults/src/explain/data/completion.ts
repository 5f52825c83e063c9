import type * as completion from "../../reasons/library/completion.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `completion`. */
export const completionDocs = {
  not_found: {
    title: "Nothing to complete for",
    causes: [
      "The prompt or resource template in the reference does not exist.",
      "It was removed after the client listed it.",
      "Its name or URI is misspelt.",
    ],
    remedies: [
      "Choose a reference from `prompts/list` or `resources/templates/list`.",
      "List again after a notification that a list has changed.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32110" }],
  },
  invalid_reference: {
    title: "Completion reference not valid",
    causes: [
      "The type of the reference is neither `ref/prompt` nor `ref/resource`.",
      "The reference lacks its name or its URI.",
      "Members of both types were mixed.",
    ],
    remedies: [
      "Correct the reference: `ref/prompt` takes a name, `ref/resource` a URI.",
      "Build references from what the server lists, not by hand.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32111" }],
  },
  invalid_argument: {
    title: "Argument to complete not valid",
    causes: [
      "The prompt or template has no argument of that name.",
      "The value typed so far is not text.",
      "The argument depends on another one that was not given.",
    ],
    remedies: [
      "Correct the name of the argument after the declaration of the prompt or template.",
      "Send the values that are already known along as context.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32112" }],
  },
  failed: {
    title: "Completion failed",
    causes: ["The code that offers completions threw.", "The source of the suggestions could not be read."],
    remedies: [
      "The operator finds the cause under the incident id.",
      "Go on without suggestions: completion is a help, not a need.",
    ],
    severity: "error",
    codes: [{ system: "erlmcp", code: "-32113" }],
  },
} as const satisfies Record<keyof typeof completion, ReasonDoc>;

import type * as prompt from "../../reasons/library/prompt.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `prompt`. */
export const promptDocs = {
  not_found: {
    title: "Prompt not found",
    causes: [
      "The name is misspelt or written in another case.",
      "The prompt was removed or renamed after it was listed.",
      "The prompt belongs to another server.",
    ],
    remedies: [
      "Choose a name from `prompts/list` and ask again.",
      "List again after a notification that the list has changed.",
      "The operator checks that the prompt is registered.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32003" }],
  },
  argument_missing: {
    title: "Prompt argument missing",
    causes: [
      "An argument that the prompt declares as required was left out.",
      "The argument was sent under another name.",
    ],
    remedies: [
      "Add the argument that is named and ask again.",
      "Ask the user for the value if nobody knows it.",
      "Look at the arguments that `prompts/list` declares.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32043" }],
  },
  render_failed: {
    title: "Prompt could not be rendered",
    causes: [
      "The template of the prompt has an error.",
      "The template uses a value that the arguments do not give.",
      "Something that the prompt embeds could not be read.",
    ],
    remedies: [
      "The operator finds the error of the template under the incident id.",
      "Use another prompt until it is repaired.",
      "Authors of servers render every prompt once in their tests.",
    ],
    severity: "error",
    codes: [{ system: "erlmcp", code: "-32044" }],
  },
} as const satisfies Record<keyof typeof prompt, ReasonDoc>;

import type * as elicitation from "../../reasons/library/elicitation.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `elicitation`. */
export const elicitationDocs = {
  failed: {
    title: "User could not be asked",
    causes: [
      "The host could not show the question or open the link.",
      "The answer did not have the form that was asked for.",
      "The connection to the client was lost while the user was being asked.",
    ],
    remedies: [
      "The operator finds under the incident id why the question failed.",
      "Ask the user in the conversation, and pass the answer as an argument if the tool takes one.",
      "Authors of servers ask only clients that declare elicitation.",
    ],
    severity: "error",
    codes: [{ system: "erlmcp", code: "1090", note: "Asking by URL." }],
  },
  timeout: {
    title: "User did not answer in time",
    causes: ["The user was away or did not see the question.", "The limit is too short for what was asked."],
    remedies: [
      "The engine asks again only if the call so far did nothing; otherwise look at the state first.",
      "Tell the user that the question is still open and start over when they are ready.",
      "Allow minutes, not seconds, where a person has to act.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "1091" }],
  },
  declined: {
    title: "User declined",
    causes: [
      "The user said no or closed the question.",
      "The question asked for something the user does not want to share.",
    ],
    remedies: [
      "Nobody has to act: the user has decided.",
      "Do not ask the same question again.",
      "Go on without the answer if the work allows it.",
    ],
    severity: "info",
  },
  url_required: {
    title: "User has to open a link",
    causes: [
      "The user has to sign in, pay or consent on a page outside the conversation.",
      "Something may be entered only there, such as a password.",
    ],
    remedies: [
      "The user opens the link and finishes there; then the call is made again.",
      "Show the link with its full host name before it is opened.",
      "Never ask in the conversation for what has to be entered on that page.",
    ],
    severity: "info",
  },
} as const satisfies Record<keyof typeof elicitation, ReasonDoc>;

import type * as progress from "../../reasons/library/progress.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `progress`. */
export const progressDocs = {
  invalid_token: {
    title: "Progress token not valid",
    causes: [
      "The token was never given out with a request.",
      "The token belongs to a request on another connection.",
      "The token was changed on its way, for example from a number to a text.",
    ],
    remedies: [
      "The host software uses only the token that it sent in the `_meta` of the request.",
      'Keep the type of the token: the number 1 and the text "1" differ.',
      "Use every token for one request only.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32091" }],
  },
  token_expired: {
    title: "Progress token no longer in use",
    causes: [
      "The request has ended, failed or been cancelled.",
      "A notification about progress was sent after the answer.",
    ],
    remedies: [
      "Look at the answer of the request first; there is no more progress to follow.",
      "Start a new request with a new token if the work has to be done again.",
      "Authors of servers stop reporting progress before they answer.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32092" }],
  },
} as const satisfies Record<keyof typeof progress, ReasonDoc>;

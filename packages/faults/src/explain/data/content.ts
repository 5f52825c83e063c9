import type * as content from "../../reasons/library/content.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `content`. */
export const contentDocs = {
  message_too_large: {
    title: "Message too large",
    causes: [
      "Large content stands inline in the message.",
      "Too many items were sent at once.",
      "The limit is lower than the use needs; 16 MiB is usual.",
    ],
    remedies: [
      "Send less: split the content over several calls.",
      "Refer to a resource by its URI instead of sending its content.",
      "The operator raises the limit if the size is meant.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32012" }],
  },
  invalid_type: {
    title: "Content type not accepted",
    causes: [
      "The server does not take content of this media type.",
      "The declared type does not fit the content.",
      "The type is misspelt.",
    ],
    remedies: [
      "Send the content in a type that the server takes.",
      "Convert it first if there is only one form of it.",
      "Check that the declared type is that of the bytes.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32013" }],
  },
  too_large: {
    title: "Piece of content too large",
    causes: [
      "One text, image or file is above the limit for a single piece.",
      "Encoding as base64 made it a third larger.",
    ],
    remedies: [
      "Shorten, compress or split that piece and call again.",
      "Refer to a resource by its URI instead of sending the piece inline.",
      "The operator raises the limit if the size is meant.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32014" }],
  },
  invalid_encoding: {
    title: "Content wrongly encoded",
    causes: [
      "The bytes are not UTF-8, although they have to be.",
      "A text was cut in the middle of a character.",
      "Binary content was sent as text instead of base64.",
    ],
    remedies: [
      "The host software encodes text as UTF-8 and binary content as base64.",
      "Look at the byte at the given position; the first wrong one is there.",
      "Cut texts at characters, never at bytes.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32015" }],
  },
} as const satisfies Record<keyof typeof content, ReasonDoc>;

import type * as pagination from "../../reasons/library/pagination.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `pagination`. */
export const paginationDocs = {
  invalid_cursor: {
    title: "Cursor not valid",
    causes: [
      "The cursor was changed, cut or made up by the caller.",
      "The cursor comes from another list, another filter or another server.",
      "The format of cursors changed with a new version of the server.",
    ],
    remedies: [
      "Leave the cursor out and start from the first page.",
      "Pass cursors on exactly as they came; they are opaque.",
      "Keep filter and order unchanged from page to page.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32071" }],
  },
  cursor_expired: {
    title: "Cursor expired",
    causes: [
      "Too much time passed between two pages.",
      "The server was restarted and forgot its cursors.",
      "The lifetime of cursors is set very short.",
    ],
    remedies: [
      "Fetch the first page again, then go on from there.",
      "Ask for smaller pages, so that each is worked through sooner.",
      "The operator sets a longer lifetime for cursors.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32072" }],
  },
} as const satisfies Record<keyof typeof pagination, ReasonDoc>;

import type * as notification from "../../reasons/library/notification.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `notification`. */
export const notificationDocs = {
  failed: {
    title: "Notification not delivered",
    causes: [
      "The subscriber has gone or was never registered.",
      "The connection or the stream to the receiver is closed.",
      "The queue of the receiver is full.",
    ],
    remedies: [
      "The operator checks the connection to the subscriber and removes subscribers that have gone.",
      "The receiver reads the current state itself after it has connected again.",
      "Rely on notifications as hints only: they are not delivered for certain.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32094" }],
  },
} as const satisfies Record<keyof typeof notification, ReasonDoc>;

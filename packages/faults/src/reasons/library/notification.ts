import { defineReason } from "./define.ts";
import { methodName, name } from "./slots.ts";

/** A notification could not be delivered. */
export const failed = defineReason("notification/failed", {
  kind: "unavailable",
  text: "The notification[ {notificationType}] could not be delivered[: {reason}].",
  slots: { notificationType: methodName, reason: name },
});

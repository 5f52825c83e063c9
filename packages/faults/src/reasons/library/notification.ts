import { defineLibraryReason, methodName, name } from "./define.ts";

/** A notification could not be delivered. */
export const failed = defineLibraryReason("notification/failed", {
  kind: "unavailable",
  text: "The notification[ {notificationType}] could not be delivered[: {reason}].",
  slots: { notificationType: methodName, reason: name },
});

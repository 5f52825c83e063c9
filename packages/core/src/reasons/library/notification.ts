import { methodName, name, reason } from "./define.ts";

/** A notification could not be delivered. */
export const failed = reason("notification/failed", "unavailable", "The notification[ {notificationType}] could not be delivered[: {reason}].", { notificationType: methodName, reason: name });

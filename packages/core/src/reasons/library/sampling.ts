import { name, reason } from "./define.ts";

/** The model behind a sampling request failed. */
export const failed = reason("sampling/failed", "upstream_failed", "The model that was asked did not answer[: {reason}].", { reason: name });

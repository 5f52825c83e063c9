import { defineReason } from "./define.ts";
import { name } from "./slots.ts";

/** The model behind a sampling request failed. */
export const failed = defineReason("sampling/failed", {
  kind: "upstream_failed",
  text: "The model that was asked did not answer[: {reason}].",
  slots: { reason: name },
});

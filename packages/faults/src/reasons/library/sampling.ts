import { defineLibraryReason, name } from "./define.ts";

/** The model behind a sampling request failed. */
export const failed = defineLibraryReason("sampling/failed", {
  kind: "upstream_failed",
  text: "The model that was asked did not answer[: {reason}].",
  slots: { reason: name },
});

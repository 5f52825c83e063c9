import { defineReason } from "./define.ts";
import { name } from "./slots.ts";

/** The backend behind an adapter failed. */
export const failed = defineReason("adapter/failed", {
  kind: "upstream_failed",
  text: "The backend of this tool has failed[: {originalError}].",
  slots: { originalError: name },
});

/** The backend behind an adapter cannot be reached. */
export const unavailable = defineReason("adapter/unavailable", {
  kind: "unavailable",
  text: "The backend of this tool is not available at the moment.",
});

/** The adapter does not offer the operation. */
export const not_implemented = defineReason("adapter/not_implemented", {
  kind: "unsupported",
  text: "The backend of this tool does not support this operation.",
});

import { defineLibraryReason, name } from "./define.ts";

/** The backend behind an adapter failed. */
export const failed = defineLibraryReason("adapter/failed", {
  kind: "upstream_failed",
  text: "The backend of this tool has failed[: {originalError}].",
  slots: { originalError: name },
});

/** The backend behind an adapter cannot be reached. */
export const unavailable = defineLibraryReason("adapter/unavailable", {
  kind: "unavailable",
  text: "The backend of this tool is not available at the moment.",
});

/** The adapter does not offer the operation. */
export const not_implemented = defineLibraryReason("adapter/not_implemented", {
  kind: "unsupported",
  text: "The backend of this tool does not support this operation.",
});

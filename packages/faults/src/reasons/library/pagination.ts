import { defineReason } from "../define.ts";
import { name, span } from "./slots.ts";

/** The cursor is not one of this server's. */
export const invalid_cursor = defineReason("pagination/invalid_cursor", {
  kind: "invalid_input",
  text: "The cursor is not valid; start again from the first page.",
  slots: { cursor: name },
});

/** The cursor was valid and is no longer. */
export const cursor_expired = defineReason("pagination/cursor_expired", {
  kind: "precondition_failed",
  text: "The cursor has expired[: it is valid for {ttlMs}]; start again from the first page.",
  slots: { cursor: name, ttlMs: span },
  details: { recourse: [{ do: "refresh" }] },
});

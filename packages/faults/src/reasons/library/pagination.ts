import { defineLibraryReason, milliseconds, name } from "./define.ts";

/** The cursor was not made by this server. */
export const invalid_cursor = defineLibraryReason("pagination/invalid_cursor", {
  kind: "invalid_input",
  text: "The cursor is not valid; without a cursor the list starts again.",
  slots: { cursor: name },
});

/** The cursor is no longer valid. */
export const cursor_expired = defineLibraryReason("pagination/cursor_expired", {
  kind: "precondition_failed",
  text: "The cursor has expired[ after {ttlMs}]; without a cursor the list starts again.",
  slots: { cursor: name, ttlMs: milliseconds },
  details: { recourse: [{ do: "refresh" }] },
});

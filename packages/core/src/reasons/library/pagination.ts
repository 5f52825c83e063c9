import { milliseconds, name, reason } from "./define.ts";

/** The cursor was not made by this server. */
export const invalid_cursor = reason("pagination/invalid_cursor", "invalid_input", "The cursor is not valid; without a cursor the list starts again.", { cursor: name });
/** The cursor is no longer valid. */
export const cursor_expired = reason(
  "pagination/cursor_expired",
  "precondition_failed",
  "The cursor has expired[ after {ttlMs}]; without a cursor the list starts again.",
  { cursor: name, ttlMs: milliseconds },
  { recourse: [{ do: "refresh" }] },
);

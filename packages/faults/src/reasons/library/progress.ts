import { defineLibraryReason, name } from "./define.ts";

/** The progress token belongs to no request. */
export const invalid_token = defineLibraryReason("progress/invalid_token", {
  kind: "invalid_request",
  text: "The progress token belongs to no request in flight.",
  slots: { progressToken: name },
});

/** The request of the progress token has ended. */
export const token_expired = defineLibraryReason("progress/token_expired", {
  kind: "precondition_failed",
  text: "The progress token is no longer in use, since its request has ended.",
  details: { recourse: [{ do: "stop" }] },
});

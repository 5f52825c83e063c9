import { name, reason } from "./define.ts";

/** The progress token belongs to no request. */
export const invalid_token = reason("progress/invalid_token", "invalid_request", "The progress token belongs to no request in flight.", { progressToken: name });
/** The request of the progress token has ended. */
export const token_expired = reason("progress/token_expired", "precondition_failed", "The progress token is no longer in use, since its request has ended.", {}, { recourse: [{ do: "stop" }] });

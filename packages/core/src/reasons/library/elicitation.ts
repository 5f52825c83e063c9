import { reason } from "./define.ts";

/** The question to the user could not be asked or answered. */
export const failed = reason("elicitation/failed", "internal", "The user could not be asked.");
/** The user did not answer in time. */
export const timeout = reason("elicitation/timeout", "timeout", "The user did not answer in time.");
/** The user was asked and refused. */
export const declined = reason("elicitation/declined", "cancelled", "The user declined to answer.");
/** The user has to open a link first. */
export const url_required = reason("elicitation/url_required", "approval_required", "The user has to open a link before this call can succeed.");

import { count, milliseconds, name, reason } from "./define.ts";

/** A bug of the server. The thrown error is in the incident. */
export const internal = reason("core/internal", "internal", "The call failed because of an internal error.");
/** A decoder did not understand the failure. */
export const unrecognised = reason("core/unrecognised", "unknown", "The call failed for an unknown reason.");
/** The arguments do not satisfy the tool's schema. */
export const validation_failed = reason("core/validation_failed", "invalid_input", "The arguments are wrong[: see {field}][ ({constraint})].", { field: name, constraint: name });
/** A required argument is missing. */
export const missing_field = reason("core/missing_field", "invalid_input", "A required argument is missing[: {field}].", { field: name });
/** An argument does not have the required format. */
export const invalid_format = reason("core/invalid_format", "invalid_input", "An argument has the wrong format[: {field}].", { field: name });
/** The arguments are well formed but make no sense together. */
export const unprocessable = reason("core/unprocessable", "invalid_input", "The arguments are well formed but do not go together.");
/** What the call asked for does not exist. */
export const not_found = reason("core/not_found", "not_found", "Not found[: {what}].", { what: name });
/** The call conflicts with the current state. */
export const conflict = reason("core/conflict", "conflict", "The call conflicts with the current state[: {what}].", { what: name });
/** Too many calls in a short time. */
export const rate_limited = reason("core/rate_limited", "rate_limited", "The rate limit[ of {limit}][ per {windowMs}] is reached.", { limit: count, windowMs: milliseconds });
/** The quota of a longer period is used up. */
export const quota_exhausted = reason("core/quota_exhausted", "quota_exhausted", "The quota is used up and does not come back soon.");
/** The calls look like a loop or like abuse. */
export const abnormal_usage = reason("core/abnormal_usage", "quota_exhausted", "These calls look like a loop and are no longer served.", {}, { recourse: [{ do: "stop" }] });
/** The service sheds load. */
export const overloaded = reason("core/overloaded", "overloaded", "The service is too busy at the moment.");
/** Other calls are changing the same data at this moment. */
export const busy = reason("core/busy", "overloaded", "Other calls are changing the same data at this moment.");
/** No answer in time. */
export const timeout = reason("core/timeout", "timeout", "No answer came in time[ (limit: {timeoutMs})].", { timeoutMs: milliseconds, elapsedMs: milliseconds });
/** The call was cancelled. */
export const cancelled = reason("core/cancelled", "cancelled", "The call was cancelled before it ended.");
/** A service that the call needs cannot be reached. */
export const unavailable = reason("core/unavailable", "unavailable", "A service that this call needs cannot be reached.");
/** A service that the call needs is configured wrongly. Waiting does not help. */
export const misconfigured = reason("core/misconfigured", "unavailable", "A service that this call needs is not set up correctly.", {}, { retry: { allowed: false } });
/** A service that the call needs answered with a failure of its own. */
export const upstream_failed = reason("core/upstream_failed", "upstream_failed", "A service that this call needs has failed.");
/** Something else must happen first. */
export const precondition_failed = reason("core/precondition_failed", "precondition_failed", "Something else has to happen before this call can succeed.");
/** The operation is not offered here. */
export const unsupported = reason("core/unsupported", "unsupported", "This operation is not supported here.");

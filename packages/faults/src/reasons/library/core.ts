import { count, defineLibraryReason, milliseconds, name } from "./define.ts";

/** A bug of the server. The thrown error is in the incident. */
export const internal = defineLibraryReason("core/internal", {
  kind: "internal",
  text: "The call failed because of an internal error.",
});

/** A decoder did not understand the failure. */
export const unrecognised = defineLibraryReason("core/unrecognised", {
  kind: "unknown",
  text: "The call failed for an unknown reason.",
});

/** The arguments do not satisfy the tool's schema. */
export const validation_failed = defineLibraryReason("core/validation_failed", {
  kind: "invalid_input",
  text: "The arguments are wrong[: see {field}][ ({constraint})].",
  slots: { field: name, constraint: name },
});

/** A required argument is missing. */
export const missing_field = defineLibraryReason("core/missing_field", {
  kind: "invalid_input",
  text: "A required argument is missing[: {field}].",
  slots: { field: name },
});

/** An argument does not have the required format. */
export const invalid_format = defineLibraryReason("core/invalid_format", {
  kind: "invalid_input",
  text: "An argument has the wrong format[: {field}].",
  slots: { field: name },
});

/** The arguments are well formed but make no sense together. */
export const unprocessable = defineLibraryReason("core/unprocessable", {
  kind: "invalid_input",
  text: "The arguments are well formed but do not go together.",
});

/** What the call asked for does not exist. */
export const not_found = defineLibraryReason("core/not_found", {
  kind: "not_found",
  text: "Not found[: {what}].",
  slots: { what: name },
});

/** The call conflicts with the current state. */
export const conflict = defineLibraryReason("core/conflict", {
  kind: "conflict",
  text: "The call conflicts with the current state[: {what}].",
  slots: { what: name },
});

/** Too many calls in a short time. */
export const rate_limited = defineLibraryReason("core/rate_limited", {
  kind: "rate_limited",
  text: "The rate limit[ of {limit}][ per {windowMs}] is reached.",
  slots: { limit: count, windowMs: milliseconds },
});

/** The quota of a longer period is used up. */
export const quota_exhausted = defineLibraryReason("core/quota_exhausted", {
  kind: "quota_exhausted",
  text: "The quota is used up and does not come back soon.",
});

/** The calls look like a loop or like abuse. */
export const abnormal_usage = defineLibraryReason("core/abnormal_usage", {
  kind: "quota_exhausted",
  text: "These calls look like a loop and are no longer served.",
  details: { recourse: [{ do: "stop" }] },
});

/** The service sheds load. */
export const overloaded = defineLibraryReason("core/overloaded", {
  kind: "overloaded",
  text: "The service is too busy at the moment.",
});

/** Other calls are changing the same data at this moment. */
export const busy = defineLibraryReason("core/busy", {
  kind: "overloaded",
  text: "Other calls are changing the same data at this moment.",
});

/** No answer in time. */
export const timeout = defineLibraryReason("core/timeout", {
  kind: "timeout",
  text: "No answer came in time[ (limit: {timeoutMs})].",
  slots: { timeoutMs: milliseconds, elapsedMs: milliseconds },
});

/** The call was cancelled. */
export const cancelled = defineLibraryReason("core/cancelled", {
  kind: "cancelled",
  text: "The call was cancelled before it ended.",
});

/** A service that the call needs cannot be reached. */
export const unavailable = defineLibraryReason("core/unavailable", {
  kind: "unavailable",
  text: "A service that this call needs cannot be reached.",
});

/** A service that the call needs is configured wrongly. Waiting does not help. */
export const misconfigured = defineLibraryReason("core/misconfigured", {
  kind: "unavailable",
  text: "A service that this call needs is not set up correctly.",
  details: { retry: { allowed: false } },
});

/** A service that the call needs answered with a failure of its own. */
export const upstream_failed = defineLibraryReason("core/upstream_failed", {
  kind: "upstream_failed",
  text: "A service that this call needs has failed.",
});

/** Something else must happen first. */
export const precondition_failed = defineLibraryReason("core/precondition_failed", {
  kind: "precondition_failed",
  text: "Something else has to happen before this call can succeed.",
});

/** The operation is not offered here. */
export const unsupported = defineLibraryReason("core/unsupported", {
  kind: "unsupported",
  text: "This operation is not supported here.",
});

import { count, defineLibraryReason, milliseconds, name, phrase } from "./define.ts";

/** No tool of that name. */
export const not_found = defineLibraryReason("tool/not_found", {
  kind: "not_found",
  text: "No such tool[: {tool}].",
  slots: { tool: name },
});

/** The tool is unknown, disabled, hidden or out of scope. The caller does not learn which. */
export const unreachable = defineLibraryReason("tool/unreachable", {
  kind: "not_found",
  text: "This tool is not available to you.",
});

/** The arguments do not satisfy the tool's schema. */
export const invalid_arguments = defineLibraryReason("tool/invalid_arguments", {
  kind: "invalid_input",
  text: "Wrong arguments[ for the tool {tool}].",
  slots: { tool: name, details: phrase },
});

/** The tool says in a sentence that it failed, and nothing else is known. */
export const failed = defineLibraryReason("tool/failed", {
  kind: "unknown",
  text: "The tool[ {tool}] reported a failure.",
  slots: { tool: name },
});

/** The tool's handler threw. */
export const execution_failed = defineLibraryReason("tool/execution_failed", {
  kind: "internal",
  text: "The tool[ {tool}] failed[: {reason}].",
  slots: { tool: name, reason: name },
});

/** The tool did not end in time. */
export const timeout = defineLibraryReason("tool/timeout", {
  kind: "timeout",
  text: "The tool[ {tool}] did not end in time[ (limit: {timeoutMs})].",
  slots: { tool: name, timeoutMs: milliseconds },
});

/** The tool was cancelled while it ran. */
export const cancelled = defineLibraryReason("tool/cancelled", {
  kind: "cancelled",
  text: "The tool[ {tool}] was cancelled[: {reason}].",
  slots: { tool: name, reason: name },
});

/** The description of a tool is longer than clients accept. */
export const description_too_long = defineLibraryReason("tool/description_too_long", {
  kind: "invalid_input",
  text: "The description of the tool is too long[: {actualLength} characters][, at most {maxLength}].",
  slots: { actualLength: count, maxLength: count },
});

/** The tool ran, but its result does not satisfy its output schema. */
export const output_invalid = defineLibraryReason("tool/output_invalid", {
  kind: "internal",
  text: "The tool ran, but its result breaks its output schema.",
});

/** The tool ran, but its result cannot be sent. */
export const result_unsendable = defineLibraryReason("tool/result_unsendable", {
  kind: "internal",
  text: "The tool ran, but its result could not be sent.",
});

/** The tool ran, but its result is too large. */
export const result_too_large = defineLibraryReason("tool/result_too_large", {
  kind: "invalid_input",
  text: "The result is too large[: at most {maxSize} bytes]; ask for less, or page by page.",
  slots: { maxSize: count },
  details: { effect: "possible" },
});

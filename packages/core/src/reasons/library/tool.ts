import { count, milliseconds, name, phrase, reason } from "./define.ts";

/** No tool of that name. */
export const not_found = reason("tool/not_found", "not_found", "No such tool[: {tool}].", { tool: name });
/** The tool is unknown, disabled, hidden or out of scope. The caller does not learn which. */
export const unreachable = reason("tool/unreachable", "not_found", "This tool is not available to you.");
/** The arguments do not satisfy the tool's schema. */
export const invalid_arguments = reason("tool/invalid_arguments", "invalid_input", "Wrong arguments[ for the tool {tool}].", { tool: name, details: phrase });
/** The tool says in a sentence that it failed, and nothing else is known. */
export const failed = reason("tool/failed", "unknown", "The tool[ {tool}] reported a failure.", { tool: name });
/** The tool's handler threw. */
export const execution_failed = reason("tool/execution_failed", "internal", "The tool[ {tool}] failed[: {reason}].", { tool: name, reason: name });
/** The tool did not end in time. */
export const timeout = reason("tool/timeout", "timeout", "The tool[ {tool}] did not end in time[ (limit: {timeoutMs})].", { tool: name, timeoutMs: milliseconds });
/** The tool was cancelled while it ran. */
export const cancelled = reason("tool/cancelled", "cancelled", "The tool[ {tool}] was cancelled[: {reason}].", { tool: name, reason: name });
/** The description of a tool is longer than clients accept. */
export const description_too_long = reason("tool/description_too_long", "invalid_input", "The description of the tool is too long[: {actualLength} characters][, at most {maxLength}].", { actualLength: count, maxLength: count });
/** The tool ran, but its result does not satisfy its output schema. */
export const output_invalid = reason("tool/output_invalid", "internal", "The tool ran, but its result breaks its output schema.");
/** The tool ran, but its result cannot be sent. */
export const result_unsendable = reason("tool/result_unsendable", "internal", "The tool ran, but its result could not be sent.");
/** The tool ran, but its result is too large. */
export const result_too_large = reason("tool/result_too_large", "invalid_input", "The result is too large[: at most {maxSize} bytes]; ask for less, or page by page.", { maxSize: count }, { effect: "possible" });

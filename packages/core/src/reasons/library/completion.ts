import { reason } from "./define.ts";

/** What was to be completed does not exist. */
export const not_found = reason("completion/not_found", "not_found", "The prompt or resource to complete for does not exist.");
/** The reference is malformed. */
export const invalid_reference = reason("completion/invalid_reference", "invalid_input", "The reference to complete for is not valid.");
/** The prompt or resource does not have the argument that should be completed. */
export const invalid_argument = reason("completion/invalid_argument", "invalid_input", "The argument to complete is not valid.");
/** The completion failed. */
export const failed = reason("completion/failed", "internal", "The completion failed.", {}, { effect: "none" });

import { name, reason } from "./define.ts";

/** No prompt of that name. */
export const not_found = reason("prompt/not_found", "not_found", "No such prompt[: {prompt}].", { prompt: name });
/** A required argument of the prompt is missing. */
export const argument_missing = reason("prompt/argument_missing", "invalid_input", "A required argument of the prompt[ {prompt}] is missing[: {argument}].", { prompt: name, argument: name });
/** The prompt could not be rendered. */
export const render_failed = reason("prompt/render_failed", "internal", "The prompt could not be rendered.", {}, { effect: "none" });

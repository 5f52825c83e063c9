import { defineReason } from "./define.ts";
import { name } from "./slots.ts";

/** No prompt of that name. */
export const not_found = defineReason("prompt/not_found", {
  kind: "not_found",
  text: "No such prompt[: {prompt}].",
  slots: { prompt: name },
});

/** A required argument of the prompt is missing. */
export const argument_missing = defineReason("prompt/argument_missing", {
  kind: "invalid_input",
  text: "A required argument of the prompt[ {prompt}] is missing[: {argument}].",
  slots: { prompt: name, argument: name },
});

/** The prompt could not be rendered. */
export const render_failed = defineReason("prompt/render_failed", {
  kind: "internal",
  text: "The prompt could not be rendered.",
  details: { effect: "none" },
});

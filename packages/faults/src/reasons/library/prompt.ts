import { defineLibraryReason, name } from "./define.ts";

/** No prompt of that name. */
export const not_found = defineLibraryReason("prompt/not_found", {
  kind: "not_found",
  text: "No such prompt[: {prompt}].",
  slots: { prompt: name },
});

/** A required argument of the prompt is missing. */
export const argument_missing = defineLibraryReason("prompt/argument_missing", {
  kind: "invalid_input",
  text: "A required argument of the prompt[ {prompt}] is missing[: {argument}].",
  slots: { prompt: name, argument: name },
});

/** The prompt could not be rendered. */
export const render_failed = defineLibraryReason("prompt/render_failed", {
  kind: "internal",
  text: "The prompt could not be rendered.",
  details: { effect: "none" },
});

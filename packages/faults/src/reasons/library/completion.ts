import { defineLibraryReason } from "./define.ts";

/** What was to be completed does not exist. */
export const not_found = defineLibraryReason("completion/not_found", {
  kind: "not_found",
  text: "The prompt or resource to complete for does not exist.",
});

/** The reference is malformed. */
export const invalid_reference = defineLibraryReason("completion/invalid_reference", {
  kind: "invalid_input",
  text: "The reference to complete for is not valid.",
});

/** The prompt or resource does not have the argument that should be completed. */
export const invalid_argument = defineLibraryReason("completion/invalid_argument", {
  kind: "invalid_input",
  text: "The argument to complete is not valid.",
});

/** The completion failed. */
export const failed = defineLibraryReason("completion/failed", {
  kind: "internal",
  text: "The completion failed.",
  details: { effect: "none" },
});

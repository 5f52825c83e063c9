import { defineLibraryReason } from "./define.ts";

/** The question to the user could not be asked or answered. */
export const failed = defineLibraryReason("elicitation/failed", {
  kind: "internal",
  text: "The user could not be asked.",
});

/** The user did not answer in time. */
export const timeout = defineLibraryReason("elicitation/timeout", {
  kind: "timeout",
  text: "The user did not answer in time.",
});

/** The user was asked and refused. */
export const declined = defineLibraryReason("elicitation/declined", {
  kind: "cancelled",
  text: "The user declined to answer.",
});

/** The user has to open a link first. */
export const url_required = defineLibraryReason("elicitation/url_required", {
  kind: "approval_required",
  text: "The user has to open a link before this call can succeed.",
});

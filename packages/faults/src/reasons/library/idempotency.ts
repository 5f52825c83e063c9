import { defineLibraryReason } from "./define.ts";

/** The key was used before with other arguments. */
export const key_reused = defineLibraryReason("idempotency/key_reused", {
  kind: "conflict",
  text: "This idempotency key was used before with other arguments; a new call needs a new key.",
  details: { recourse: [{ do: "stop" }] },
});

/** The first call with this key is still running. */
export const in_progress = defineLibraryReason("idempotency/in_progress", {
  kind: "conflict",
  text: "The first call with this idempotency key is still running.",
  details: { effect: "possible", repeatable: true, retry: { allowed: true, afterMs: 1_000 } },
});

/** The call has a key, but nobody knows whose key it is. */
export const caller_unknown = defineLibraryReason("idempotency/caller_unknown", {
  kind: "precondition_failed",
  text: "The server does not know whose idempotency key this is: nobody is signed in.",
});

/** The first call with this key did not end in its time. */
export const outcome_unknown = defineLibraryReason("idempotency/outcome_unknown", {
  kind: "unavailable",
  text: "The first call with this idempotency key did not end in time, and its outcome is unknown.",
  details: { effect: "possible", retry: { allowed: false }, recourse: [{ do: "refresh" }, { do: "ask_user" }] },
});

/** The answer to a call with a key was lost on its way. */
export const answer_lost = defineLibraryReason("idempotency/answer_lost", {
  kind: "unavailable",
  text: "The connection was lost before the answer came; with the same idempotency key the call does not run twice.",
  details: { effect: "possible", repeatable: true, retry: { allowed: true, afterMs: 1_000 } },
});

/** The first call with this key has ended, but its outcome was too long to keep. */
export const outcome_not_kept = defineLibraryReason("idempotency/outcome_not_kept", {
  kind: "conflict",
  text: "The first call with this idempotency key is done, but its result was too long to keep.",
  details: { effect: "applied", retry: { allowed: false } },
});

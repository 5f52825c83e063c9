import { reason } from "./define.ts";

/** The key was used before with other arguments. */
export const key_reused = reason("idempotency/key_reused", "conflict", "This idempotency key was used before with other arguments; a new call needs a new key.", {}, { recourse: [{ do: "stop" }] });
/** The first call with this key is still running. */
export const in_progress = reason("idempotency/in_progress", "conflict", "The first call with this idempotency key is still running.", {}, { effect: "possible", repeatable: true, retry: { allowed: true, afterMs: 1_000 } });
/** The call has a key, but nobody knows whose key it is. */
export const caller_unknown = reason("idempotency/caller_unknown", "precondition_failed", "The server does not know whose idempotency key this is: nobody is signed in.");
/** The first call with this key did not end in its time. */
export const outcome_unknown = reason(
  "idempotency/outcome_unknown",
  "unavailable",
  "The first call with this idempotency key did not end in time, and its outcome is unknown.",
  {},
  { effect: "possible", retry: { allowed: false }, recourse: [{ do: "refresh" }, { do: "ask_user" }] },
);
/** The answer to a call with a key was lost on its way. */
export const answer_lost = reason(
  "idempotency/answer_lost",
  "unavailable",
  "The connection was lost before the answer came; with the same idempotency key the call does not run twice.",
  {},
  { effect: "possible", repeatable: true, retry: { allowed: true, afterMs: 1_000 } },
);
/** The first call with this key has ended, but its outcome was too long to keep. */
export const outcome_not_kept = reason("idempotency/outcome_not_kept", "conflict", "The first call with this idempotency key is done, but its result was too long to keep.", {}, { effect: "applied", retry: { allowed: false } });

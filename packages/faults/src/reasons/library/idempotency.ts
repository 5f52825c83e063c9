import { defineReason } from "../define.ts";

/** The key was used before with other arguments. */
export const key_reused = defineReason("idempotency/key_reused", {
  kind: "conflict",
  text: "This idempotency key was used before with other arguments; use a new key for a new call.",
  details: { recourse: [{ do: "stop" }] },
});

/** The first call with this key is still running. */
export const in_progress = defineReason("idempotency/in_progress", {
  kind: "conflict",
  text: "The first call with this idempotency key is still running.",
  details: { effect: "possible", repeatable: true, retry: { allowed: true, afterMs: 1_000 } },
});

import type * as idempotency from "../../reasons/library/idempotency.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `idempotency`. */
export const idempotencyDocs = {
  key_reused: {
    title: "Idempotency key used for another call",
    causes: [
      "A key was kept while the arguments changed.",
      "Two callers made the same key.",
      "The key was made from something that is not unique to the call.",
    ],
    remedies: [
      "Stop and compare: if another call is meant, make it with a new key.",
      "Keep the key only for attempts at the very same call.",
      "Make keys at random, one per intended effect.",
    ],
    severity: "warning",
  },
  in_progress: {
    title: "Call with this key still running",
    causes: ["The first attempt has not ended yet.", "The client gave up waiting and repeated the call early."],
    remedies: [
      "Repeat with the same key after the wait: the answer will be that of the first attempt.",
      "Do not take a new key, since that would do the work twice.",
      "Give the call a longer limit if this happens often.",
    ],
    severity: "info",
  },
} as const satisfies Record<keyof typeof idempotency, ReasonDoc>;

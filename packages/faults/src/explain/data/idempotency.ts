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
  caller_unknown: {
    title: "Idempotency key of an unknown caller",
    causes: [
      "The call came over HTTP without credentials.",
      "The request was authenticated, but what the authenticator passes on names no subject and no token.",
      "The server's own rule for naming callers returned no name.",
    ],
    remedies: [
      "Sign in and make the same call again with its key: nothing was done.",
      "Or make the call without a key, and do not repeat it blindly.",
      "As the author of the server, pass a subject on in authInfo, or name callers with the option caller of guard.",
    ],
    severity: "warning",
  },
  outcome_unknown: {
    title: "Outcome of a keyed call unknown",
    causes: [
      "The process that ran the first call ended before it stored the outcome.",
      "The handler of the first call still hangs, long after its time limit.",
    ],
    remedies: [
      "Look at the current state to find out whether the call had its effect.",
      "Ask a person before making the call again with a new key, since that may do the work twice.",
      "As the author of the server, let handlers end when their signal is aborted, and pass the key on to a service that honours it.",
    ],
    severity: "error",
  },
  outcome_not_kept: {
    title: "Outcome of a keyed call not kept",
    causes: [
      "The result of the first call is longer than the store keeps.",
      "The store, or this caller's share of it, was full when the first call ended.",
    ],
    remedies: [
      "Do not make the call again: it is done. Read its result from the current state.",
      "As the author of the server, return less, such as an id instead of a document.",
      "As the author of the server, raise the limits of the store.",
    ],
    severity: "info",
  },
} as const satisfies Record<keyof typeof idempotency, ReasonDoc>;

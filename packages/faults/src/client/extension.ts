/** Where client and server tell each other, in `capabilities.extensions`, whether idempotency keys are honoured. */
export const FAULTS_EXTENSION = "recourse/faults";

/** Where an attempt names itself in the `_meta` of a request. */
export const CALL_KEY = "recourse/call";

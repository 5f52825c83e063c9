// What a guarded process says on stderr about its server.

/** Before the class of the server that `guard` took. */
export const GUARDED = "study: guarded";

/** Before the message with which `guard` refused the server. */
export const REFUSED = "study: refused:";

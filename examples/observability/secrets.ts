// In a file of their own, as in the environment of a real server: Sentry also sends the lines of source code around a frame.

/** Registered with `registerSecrets`. */
export const SECRET = "pw-9f8e7d6c5b4a3210";
/** Nobody registered this one; it only looks like a password. */
export const UNREGISTERED = "postgres://app:hunter2hunter2@10.0.0.5/orders";

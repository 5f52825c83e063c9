/** What a store knows about a key: nobody used it, its call still runs, it was used with other arguments, or how its call ended. */
export type KeyState = "new" | "running" | "other" | { readonly outcome: string };

/**
 * Where idempotency keys are kept, so that a call that is made again does not happen again.
 *
 * Keys and digests are 64 hexadecimal characters. An outcome is JSON text that only the guard reads; it holds what the tool
 * answered, so it needs the same care. When a method rejects, a call that has not begun is refused, and one that has ended
 * stays claimed.
 */
export interface KeyStore {
  /**
   * Claims a key. This must be one atomic step: of all who ask at the same time one gets `new`, and runs the call.
   * A claim that is never settled (its process died) has to stay: nobody knows how far the call came.
   */
  begin(key: string, digest: string): Promise<KeyState>;
  /** Keeps how the call of a claimed key ended. */
  settle(key: string, outcome: string): Promise<void>;
  /** Gives a claimed key back: its call changed nothing. */
  release(key: string): Promise<void>;
}

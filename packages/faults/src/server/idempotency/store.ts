/** What a store knows about a key: it is new, its call is running, it was used with other arguments, or how its call ended. */
export type IdempotencyState = "new" | "running" | "other" | { readonly outcome: string };

/**
 * Where idempotency keys are kept, so that a call that is repeated does not run again.
 *
 * Keys and digests are 64 hexadecimal characters. An outcome is JSON text that only the guard reads; it contains what the
 * tool answered, so protect it alike. When a method rejects, a call that has not begun is refused, and the key of a call
 * that has ended stays claimed.
 */
export interface IdempotencyStore {
  /**
   * Claims a key in one atomic step: of all who claim it at the same time, one gets `new` and runs the call. A claim that
   * is never settled (its process died) must stay, since nobody knows how far the call came.
   */
  begin(key: string, digest: string): Promise<IdempotencyState>;
  /** Stores how the call of a claimed key ended. */
  settle(key: string, outcome: string): Promise<void>;
  /** Frees a claimed key: its call changed nothing. */
  release(key: string): Promise<void>;
}

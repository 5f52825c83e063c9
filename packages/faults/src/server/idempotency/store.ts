/** A call that claims a key. */
export interface IdempotencyClaim {
  /** Who calls: a digest. A store can give every owner a share, so that one caller cannot fill it. */
  readonly owner: string;
  /** How long the call may run, in ms from now; then its outcome is unknown. Undefined where it has no time limit. */
  readonly deadlineMs: number | undefined;
  /** Whether the tool passes the key on to a service that honours it, so that the call may run again. */
  readonly honoured: boolean;
}

/**
 * What a store knows about a key:
 * - `new`: this call has claimed it and runs. The fence names the claim.
 * - `running`: another call runs.
 * - `unknown`: another call has not ended in its time, and nobody knows whether it had its effect.
 * - `other`: it was used with other arguments.
 * - `settled`: its call has ended. The outcome is undefined where it was too long to keep.
 */
export type IdempotencyState =
  | { readonly state: "new"; readonly fence: number }
  | { readonly state: "running" | "unknown" | "other" }
  | { readonly state: "settled"; readonly outcome: string | undefined };

/** What a store knows about a key that is only looked up. `absent`: the key is not known, or no longer. */
export type FoundIdempotencyState = Exclude<IdempotencyState, { readonly state: "new" }> | { readonly state: "absent" };

/**
 * Where idempotency keys are kept, so that a call that is repeated does not run again.
 *
 * Keys, digests and owners are 64 hexadecimal characters. An outcome is JSON text that only the guard reads; it contains
 * what the tool answered, so protect it alike. When a method rejects, a call that has not begun is refused, and the key of a
 * call that has ended stays claimed.
 */
export interface IdempotencyStore {
  /**
   * Claims a key in one atomic step: of all who claim it at the same time, one gets `new` and runs the call. A claim that is
   * not settled by its deadline (its process died, or it hangs) is `unknown`, for at least as long as an outcome is kept. Only
   * a call that is `honoured` takes it over, with another fence.
   */
  begin(key: string, digest: string, claim: IdempotencyClaim): Promise<IdempotencyState>;
  /** Stores how the call of a claim ended, also after its deadline. Does nothing if the claim was taken over. */
  settle(key: string, fence: number, outcome: string): Promise<void>;
  /** Frees a key: the call of this claim changed nothing. Does nothing if the claim was taken over or settled. */
  release(key: string, fence: number): Promise<void>;
}

/** A store whose keys can be looked up. All stores of Recourse can. */
export interface SearchableIdempotencyStore extends IdempotencyStore {
  /** Looks a key up and claims nothing. */
  find(key: string, digest: string): Promise<FoundIdempotencyState>;
}

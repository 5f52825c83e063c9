/** A call that needs an approval. */
export interface ApprovalRequest {
  /** SHA-256 of tenant, caller, tool, canonical arguments and policy, in hex. An approval counts for one of these. */
  readonly binding: string;
  readonly tenant: string;
  /** Id of the caller. */
  readonly caller: string;
  /** The name of the tool, as callers know it. */
  readonly tool: string;
  /** The canonical text of the arguments, for the person who decides. */
  readonly arguments: string;
  /** The version of the policy: a digest of the rule. */
  readonly policy: string;
  /** How long an answer is waited for, and how long it counts. */
  readonly expiresMs: number;
}

/** The state of an approval. */
export type ApprovalState = "pending" | "approved" | "denied" | "consumed" | "expired";

/** An approval as the person who decides sees it. */
export interface Approval {
  readonly id: string;
  readonly state: ApprovalState;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  /** Empty where nobody decided before it expired. */
  readonly arguments: string;
  readonly policy: string;
  /** ISO 8601 times. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | undefined;
  readonly decidedBy: string | undefined;
}

/** What a call gets that asks for its approval. `expired`: the last one expired or was used, and a new one is pending. */
export type ConsumeAnswer =
  | { readonly state: "consumed"; readonly id: string }
  | { readonly state: "pending" | "expired" | "denied"; readonly id: string; readonly expiresAt: string }
  /** Too much of this caller waits for a decision; nobody is asked. There is room again after `waitMs`. */
  | { readonly state: "full"; readonly of: keyof PendingBounds; readonly waitMs: number };

/** What of one caller may wait for a decision. */
export interface PendingBounds {
  readonly calls: number;
  /** The length of their arguments together. */
  readonly bytes: number;
}

/** The bounds of every store. Persons read what waits, so they are small. */
export const PENDING_BOUNDS: PendingBounds = { calls: 20, bytes: 256 * 1_024 };

/** Which approvals are listed. */
interface ApprovalFilter {
  readonly state?: ApprovalState | undefined;
  readonly tenant?: string | undefined;
  /** Only those before this id, the newest first. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The decision of a person. */
interface Decision {
  readonly id: string;
  readonly approve: boolean;
  /** Who decides. */
  readonly by: string;
}

/** Where approvals are kept. Methods reject where the store is away. */
export interface ApprovalStore {
  /**
   * Uses the approval of a binding up, in one atomic step; where there is none, a pending one is made. `call` is unique for
   * each attempt. Where it rejects, no approval stays used up for this call.
   */
  consume(request: ApprovalRequest, call: string): Promise<ConsumeAnswer>;
  /** The call of a consumed approval provably never left: it may be used again. Does nothing for another call. */
  giveBack(id: string, call: string): Promise<void>;
  find(id: string): Promise<Approval | undefined>;
  list(filter: ApprovalFilter): Promise<readonly Approval[]>;
  /** Decides a pending approval. Gives it as it is then; undefined where there is none with this id. `isDecided` is false where it was decided, used or expired before. */
  decide(decision: Decision): Promise<{ readonly approval: Approval; readonly isDecided: boolean } | undefined>;
  /** Deletes what expired long ago, and the arguments of what nobody decided in time. Gives how many approvals were deleted. */
  deleteOld(keepMs: number): Promise<number>;
  close(): Promise<void>;
}

import type { Fault } from "@recourse/core";
import { auth, content, core } from "@recourse/core/reasons";
import type { ApprovalRequest } from "../call/binding.ts";

export type ApprovalState = "pending" | "approved" | "denied" | "consumed" | "expired";

export interface Approval {
  readonly id: string;
  readonly state: ApprovalState;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  /** Empty if it expired before a decision. */
  readonly arguments: string;
  readonly policy: string;
  /** ISO 8601 times. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | undefined;
  readonly decidedBy: string | undefined;
  /** What was decided. It stays when the approval is used or expires. */
  readonly decision?: "approved" | "denied" | undefined;
  /** Why it was decided so, as the operator wrote it. */
  readonly note?: string | undefined;
}

/** An approval that this process has just made pending or decided. Other processes report their own. */
export type ApprovalChange = Pick<Approval, "id" | "state" | "tenant" | "caller" | "tool" | "expiresAt">;

/** Receives the changes of a store, once each. It must neither wait nor throw. */
export type OnApprovalChange = (change: ApprovalChange) => void;

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

interface ApprovalFilter {
  /** `decided`: those that a person decided, whatever has become of them since. */
  readonly state?: ApprovalState | "decided" | undefined;
  readonly tenant?: string | undefined;
  readonly tool?: string | undefined;
  readonly caller?: string | undefined;
  /** Only those after this id in the order of the list. */
  readonly before?: string | undefined;
  readonly limit: number;
}

interface ApprovalDecision {
  readonly id: string;
  readonly approve: boolean;
  readonly by: string;
  /** Why. @default nothing is kept */
  readonly note?: string | undefined;
}

/** What nobody decided is of little use to look back at, and callers can make many of them. */
export const KEEP_UNDECIDED_MS = 24 * 3_600_000;
/** More approvals than these are not counted: counting them must stay cheap. */
export const MAX_COUNTED = 10_000;

/** The approvals that wait for a decision. */
interface PendingCount {
  readonly count: number;
  /** 0 if none waits. */
  readonly oldestMs: number;
}

export interface ApprovalStore {
  /**
   * Uses up the approval of a binding in one atomic step. If none exists, a pending one is made. `call` is unique for
   * each attempt. If this rejects, no approval stays used up for this call.
   */
  consume(request: ApprovalRequest, call: string): Promise<ConsumeAnswer>;
  /** The call of a consumed approval provably never left: it may be used again. Does nothing for another call. */
  giveBack(id: string, call: string): Promise<void>;
  find(id: string): Promise<Approval | undefined>;
  /** Pending ones: the next to expire first. All others: the newest first. */
  list(filter: ApprovalFilter): Promise<readonly Approval[]>;
  /** How many approvals wait for a decision, up to `MAX_COUNTED`, and how long the oldest of them does. */
  countPending(): Promise<PendingCount>;
  /**
   * Decides a pending approval. Gives its new state; undefined if no approval has this id. `isDecided` is false if it
   * was decided, used or expired before.
   */
  decide(decision: ApprovalDecision): Promise<{ readonly approval: Approval; readonly isDecided: boolean } | undefined>;
  /** Deletes what expired long ago, and the arguments of what nobody decided in time. Gives how many approvals were deleted. */
  deleteOld(keepMs: number): Promise<number>;
  close(): Promise<void>;
}

export interface PendingApproval {
  /** How long its arguments are. */
  readonly bytes: number;
  readonly leftMs: number;
}

interface ReachedBound {
  readonly of: keyof PendingBounds;
  readonly waitMs: number;
}

/** Which bound keeps a caller from asking for one more approval, and until when; undefined if it may ask. */
export function findReachedBound(
  waiting: readonly PendingApproval[],
  newBytes: number,
  bounds: PendingBounds,
): ReachedBound | undefined {
  let calls = waiting.length + 1;
  let bytes = waiting.reduce((sum, one) => sum + one.bytes, newBytes);
  const isFull = () => calls > bounds.calls || bytes > bounds.bytes;
  if (!isFull()) return undefined;
  const of = calls > bounds.calls ? "calls" : "bytes";
  let waitMs = 1;
  for (const one of waiting.toSorted((a, b) => a.leftMs - b.leftMs)) {
    calls -= 1;
    bytes -= one.bytes;
    waitMs = Math.max(1, Math.ceil(one.leftMs));
    if (!isFull()) break;
  }
  return { of, waitMs };
}

type ApprovalRefusal = Exclude<ConsumeAnswer, { readonly state: "consumed" }>;

/** Where a person decides about an approval; undefined if there is no page for it. */
export function linkTo(id: string, link: string | undefined): string | undefined {
  return link?.replaceAll("{id}", encodeURIComponent(id));
}

export function approvalFault(refusal: ApprovalRefusal, link: string | undefined): Fault {
  switch (refusal.state) {
    case "pending":
    case "expired": {
      const { id, expiresAt, state } = refusal;
      const page = linkTo(id, link);
      const move = { do: "ask_user", approval: id, ...(page !== undefined && { link: page }) } as const;
      const reason = state === "pending" ? auth.approval_required : auth.approval_expired;
      return reason.fault({ approval: id, expiresAt }, { recourse: [move] });
    }
    case "denied":
      return auth.approval_denied.fault({ approval: refusal.id });
    case "full": {
      const { of, waitMs } = refusal;
      const row = { policy: "approvals", unit: `waiting ${of}`, quota: PENDING_BOUNDS[of], remaining: 0 } as const;
      return core.rate_limited.fault(
        {},
        {
          effect: "none",
          retry: { allowed: true, afterMs: Math.ceil(waitMs) },
          limits: [{ ...row, resetMs: Math.ceil(waitMs), scope: "key" }],
        },
      );
    }
    default:
      return refusal satisfies never;
  }
}

export function unavailableFault(): Fault {
  return auth.approval_unavailable.fault();
}

export function deniedByPolicy(): Fault {
  return auth.approval_denied_by_policy.fault();
}

export function tooLongFault(size: number, limit: number): Fault {
  return content.too_large.fault({ actualSize: size, maxSize: limit });
}

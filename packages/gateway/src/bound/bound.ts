import type { ApprovalRequest } from "../approvals/approvals.ts";

/** What binds a call to its arguments: an idempotency key, an approval that it needs, or both. */
export interface Bound {
  /** SHA-256 of caller, tool and idempotency key, in hex; undefined for a call without a key. */
  readonly key: string | undefined;
  /** SHA-256 of the arguments as they are sent, in hex. */
  readonly digest: string;
  /** SHA-256 of the caller, in hex. */
  readonly owner: string;
  /** The canonical text of the arguments. It is what was digested, and what is sent. */
  readonly arguments: Buffer;
  /** The approval that the call needs; undefined where it needs none. */
  readonly approval: ApprovalRequest | undefined;
}

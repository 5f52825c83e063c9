import { createHmac, hash, timingSafeEqual } from "node:crypto";

/** What binds a call to its arguments: an idempotency key, an approval that it needs, or both. */
export interface CallBinding {
  /** SHA-256 of caller, tool and idempotency key, in hex; undefined for a call without a key. */
  readonly key: string | undefined;
  /** SHA-256 of the arguments as they are sent, in hex. */
  readonly digest: string;
  /** SHA-256 of the caller, in hex. */
  readonly owner: string;
  /** The canonical text of the arguments. It is what was digested, and what is sent. */
  readonly arguments: Buffer;
  /** The approval that the call needs; undefined if it needs none. */
  readonly approval: ApprovalRequest | undefined;
}

/** SHA-256 of bytes or text, in hex. */
export function sha256Hex(data: Buffer | string): string {
  return hash("sha256", data, "hex");
}

/** SHA-256 of a list, in hex. It is written as JSON, so that two different lists never have the same text. */
export function sha256OfList(list: readonly unknown[]): string {
  return sha256Hex(JSON.stringify(list));
}

/** The signature of a list. The first element names the sort of text, so that none stands for another. */
export function signList(secret: Buffer, list: readonly unknown[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(list)).digest("base64url");
}

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
  /** How long to wait for an answer, and how long the answer counts. */
  readonly expiresMs: number;
}

/** Whether two texts are the same. The time it takes says nothing about where they differ. */
export function isSameText(one: string, other: string): boolean {
  const bytes = Buffer.from(one, "utf16le");
  const others = Buffer.from(other, "utf16le");
  return bytes.length === others.length && timingSafeEqual(bytes, others);
}

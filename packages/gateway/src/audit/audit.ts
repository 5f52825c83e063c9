/** A decision or a change by an operator. */
export interface AuditEntry {
  /** Who: the id of the operator's key. */
  readonly by: string;
  /** What was done, such as `approval.approve` or `key.revoke`. */
  readonly action: string;
  /** What it was done to: an id. */
  readonly target: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** An entry as it was kept. */
export interface AuditRow extends AuditEntry {
  readonly id: string;
  /** ISO 8601 time. */
  readonly at: string;
}

/** Who decided and changed what. Methods reject where the store is away. */
export interface Audit {
  record(entry: AuditEntry): Promise<void>;
  /** The newest first. */
  list(page: { readonly limit: number; readonly before?: string | undefined }): Promise<readonly AuditRow[]>;
}

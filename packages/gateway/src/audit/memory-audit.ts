import type { Audit, AuditRow } from "./audit.ts";

/** How many entries are kept. */
const MAX_ENTRIES = 1_000;

/** An audit in this process: the last entries only, and none after a restart. */
export function memoryAudit(now: () => number = Date.now, maxEntries: number = MAX_ENTRIES): Audit {
  /** The newest last. */
  const rows: AuditRow[] = [];
  let last = 0;
  return {
    async record({ by, action, target, facts }) {
      last += 1;
      rows.push({ id: String(last), at: new Date(now()).toISOString(), by, action, target, facts: { ...facts } });
      if (rows.length > maxEntries) rows.shift();
    },
    async list({ limit, before }) {
      const older = before === undefined ? rows : rows.filter(({ id }) => Number(id) < Number(before));
      return older.slice(-limit).toReversed();
    },
  };
}

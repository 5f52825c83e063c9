import type { Fault } from "../fault/fault.ts";

/** What makes two failures the same: how they are named and which arguments they are about, never what they say. */
export function fingerprint(fault: Fault): string {
  const issues = (fault.issues ?? []).map(({ pointer, rule }) => `${pointer} ${rule}`);
  return [fault.reason, fault.kind, ...[...new Set(issues)].sort()].join("\n");
}

import { formatId } from "@recourse/faults";
import { randomBytes } from "@recourse/faults/internal-do-not-use";
import { type Approval, type ApprovalState, type ApprovalStore, MAX_PENDING } from "./approvals.ts";

/** Parts that tests replace. */
export interface MemoryApprovalsOptions {
  /** Time of day in ms. */
  readonly now?: () => number;
  /** How many calls of one caller may wait. */
  readonly maxPending?: number;
}

interface Entry {
  readonly approval: Omit<Approval, "state" | "expiresAt" | "decidedAt" | "decidedBy">;
  readonly binding: string;
  readonly expiresMs: number;
  state: ApprovalState;
  decidedAt: string | undefined;
  decidedBy: string | undefined;
  call: string | undefined;
}

/** Approvals in this process. They are lost when it stops: a person is asked again. */
export function memoryApprovals({
  now = Date.now,
  maxPending = MAX_PENDING,
}: MemoryApprovalsOptions = {}): ApprovalStore {
  const entries = new Map<string, Entry>();
  const byBinding = new Map<string, Set<Entry>>();
  const isLive = (entry: Entry) => entry.expiresMs > now();
  const stateOf = (entry: Entry) => (entry.state !== "consumed" && !isLive(entry) ? "expired" : entry.state);
  const shown = (entry: Entry): Approval => ({
    ...entry.approval,
    state: stateOf(entry),
    expiresAt: new Date(entry.expiresMs).toISOString(),
    decidedAt: entry.decidedAt,
    decidedBy: entry.decidedBy,
  });

  return {
    async consume({ binding, expiresMs, ...request }, call) {
      const known = byBinding.get(binding) ?? new Set<Entry>();
      const live = [...known].filter(isLive);
      const inState = (state: ApprovalState) => live.find((entry) => entry.state === state);
      const denied = inState("denied");
      const approved = inState("approved");
      // A denial that is newer than an approval wins.
      if (denied === undefined && approved !== undefined) {
        approved.state = "consumed";
        approved.call = call;
        return { state: "consumed", id: approved.approval.id };
      }
      const open = denied ?? inState("pending");
      if (open !== undefined) {
        const { id, expiresAt } = shown(open);
        return { state: open === denied ? "denied" : "pending", id, expiresAt };
      }
      const waiting = [...entries.values()].filter(
        (entry) => entry.approval.caller === request.caller && stateOf(entry) === "pending",
      );
      if (waiting.length >= maxPending)
        return { state: "full", waitMs: Math.min(...waiting.map((entry) => entry.expiresMs)) - now() };
      const id = formatId(now(), randomBytes());
      const { tenant, caller, tool, arguments: args, policy } = request;
      const entry: Entry = {
        approval: { id, tenant, caller, tool, arguments: args, policy, createdAt: new Date(now()).toISOString() },
        binding,
        expiresMs: now() + expiresMs,
        state: "pending",
        decidedAt: undefined,
        decidedBy: undefined,
        call: undefined,
      };
      const isAgain = known.size > 0;
      entries.set(id, entry);
      byBinding.set(binding, known.add(entry));
      return { state: isAgain ? "expired" : "pending", id, expiresAt: shown(entry).expiresAt };
    },
    async giveBack(id, call) {
      const entry = entries.get(id);
      if (entry?.state !== "consumed" || entry.call !== call || !isLive(entry)) return;
      entry.state = "approved";
      entry.call = undefined;
    },
    async find(id) {
      const entry = entries.get(id);
      return entry && shown(entry);
    },
    async list({ state, tenant, before, limit }) {
      return [...entries.values()]
        .map(shown)
        .filter((one) => state === undefined || one.state === state)
        .filter((one) => tenant === undefined || one.tenant === tenant)
        .filter((one) => before === undefined || one.id < before)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit);
    },
    async decide({ id, approve, by }) {
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      const isDecided = stateOf(entry) === "pending";
      if (isDecided) {
        entry.state = approve ? "approved" : "denied";
        entry.decidedAt = new Date(now()).toISOString();
        entry.decidedBy = by;
      }
      return { approval: shown(entry), isDecided };
    },
    async deleteOld(keepMs) {
      const old = [...entries].filter(([, { expiresMs }]) => expiresMs < now() - keepMs);
      for (const [id, entry] of old) {
        entries.delete(id);
        const same = byBinding.get(entry.binding);
        same?.delete(entry);
        if (same?.size === 0) byBinding.delete(entry.binding);
      }
      return old.length;
    },
    close: () => Promise.resolve(),
  };
}

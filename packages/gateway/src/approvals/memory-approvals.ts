import { formatId } from "@recourse/core";
import { randomBytes } from "@recourse/core/wire";
import {
  type Approval,
  type ApprovalState,
  type ApprovalStore,
  findReachedBound,
  type OnApprovalChange,
  PENDING_BOUNDS,
  type PendingApproval,
  type PendingBounds,
} from "./approvals.ts";

export interface MemoryApprovalsOptions {
  readonly now?: () => number;
  readonly bounds?: PendingBounds;
  /** The most approvals that are kept; beyond it the oldest that is over is forgotten, or nobody is asked. */
  readonly max?: number;
  /** Receives what is made pending or decided. @default nobody */
  readonly onChange?: OnApprovalChange | undefined;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

interface ApprovalEntry {
  readonly approval: Mutable<Omit<Approval, "state" | "expiresAt">>;
  readonly binding: string;
  readonly expiresMs: number;
  state: ApprovalState;
  call: string | undefined;
}

interface UndecidedQueue {
  readonly waiting: Set<ApprovalEntry>;
  /** Those that expired, the oldest first; as many as may wait. */
  readonly expired: Set<ApprovalEntry>;
}

/** Approvals in this process. They are lost when it stops: a person is asked again. */
export function memoryApprovals({
  now = Date.now,
  bounds = PENDING_BOUNDS,
  max = 10_000,
  onChange,
}: MemoryApprovalsOptions = {}): ApprovalStore {
  const entries = new Map<string, ApprovalEntry>();
  const byBinding = new Map<string, Set<ApprovalEntry>>();
  const byCaller = new Map<string, UndecidedQueue>();
  const isLive = (entry: ApprovalEntry) => entry.expiresMs > now();
  const stateOf = (entry: ApprovalEntry) => (entry.state !== "consumed" && !isLive(entry) ? "expired" : entry.state);
  const shown = (entry: ApprovalEntry): Approval => ({
    ...entry.approval,
    state: stateOf(entry),
    expiresAt: new Date(entry.expiresMs).toISOString(),
  });

  const forget = (entry: ApprovalEntry) => {
    entries.delete(entry.approval.id);
    const same = byBinding.get(entry.binding);
    same?.delete(entry);
    if (same?.size === 0) byBinding.delete(entry.binding);
    const { caller } = entry.approval;
    const undecided = byCaller.get(caller);
    undecided?.waiting.delete(entry);
    undecided?.expired.delete(entry);
    if (undecided?.waiting.size === 0 && undecided.expired.size === 0) byCaller.delete(caller);
  };

  /** What nobody decided in time loses its arguments. Gives what still waits. */
  const waitingOf = (caller: string): readonly ApprovalEntry[] => {
    const undecided = byCaller.get(caller);
    if (undecided === undefined) return [];
    for (const entry of undecided.waiting) {
      if (isLive(entry)) continue;
      entry.approval.arguments = "";
      undecided.waiting.delete(entry);
      undecided.expired.add(entry);
    }
    for (const oldest of undecided.expired) {
      if (undecided.expired.size <= bounds.calls) break;
      forget(oldest);
    }
    return [...undecided.waiting];
  };

  const hasRoom = (): boolean => {
    if (entries.size < max) return true;
    for (const entry of entries.values()) {
      if (isLive(entry)) continue;
      forget(entry);
      return true;
    }
    return false;
  };

  return {
    async consume({ binding, expiresMs, ...request }, call) {
      const { tenant, caller, tool, arguments: args, policy } = request;
      const waiting = waitingOf(caller);
      const known = byBinding.get(binding) ?? new Set<ApprovalEntry>();
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
      const full = findReachedBound(
        waiting.map((entry) => waitingIn(entry, now())),
        Buffer.byteLength(args),
        bounds,
      );
      if (full !== undefined) return { state: "full", ...full };
      if (!hasRoom()) return { state: "full", of: "calls", waitMs: expiresMs };
      const id = formatId(now(), randomBytes());
      const entry: ApprovalEntry = {
        approval: {
          ...{ id, tenant, caller, tool, arguments: args, policy, createdAt: new Date(now()).toISOString() },
          ...{ decidedAt: undefined, decidedBy: undefined },
        },
        binding,
        expiresMs: now() + expiresMs,
        state: "pending",
        call: undefined,
      };
      const isAgain = known.size > 0;
      entries.set(id, entry);
      byBinding.set(binding, known.add(entry));
      const undecided = byCaller.get(caller) ?? { waiting: new Set(), expired: new Set() };
      undecided.waiting.add(entry);
      byCaller.set(caller, undecided);
      const { expiresAt } = shown(entry);
      onChange?.({ id, state: "pending", tenant, caller, tool, expiresAt });
      return { state: isAgain ? "expired" : "pending", id, expiresAt };
    },
    async giveBack(id, call) {
      const entry = entries.get(id);
      if (entry?.state !== "consumed" || entry.call !== call || !isLive(entry)) return;
      entry.state = "approved";
      entry.call = undefined;
    },
    async find(id) {
      const entry = entries.get(id);
      if (entry !== undefined) waitingOf(entry.approval.caller);
      return entry && shown(entry);
    },
    async list({ state, tenant, tool, caller, before, limit }) {
      for (const one of byCaller.keys()) waitingOf(one);
      const last = before === undefined ? undefined : entries.get(before);
      const order = state === "pending" ? byExpiry : newestFirst;
      return [...entries.values()]
        .filter(
          (entry) => before === undefined || (last === undefined ? entry.approval.id < before : order(last, entry) < 0),
        )
        .sort(order)
        .map(shown)
        .filter((one) =>
          state === "decided" ? one.decidedAt !== undefined : state === undefined || one.state === state,
        )
        .filter((one) => tenant === undefined || one.tenant === tenant)
        .filter((one) => tool === undefined || one.tool === tool)
        .filter((one) => caller === undefined || one.caller === caller)
        .slice(0, limit);
    },
    async countPending() {
      const pending = [...entries.values()].filter((entry) => stateOf(entry) === "pending");
      const createdMs = pending.map(({ approval }) => Date.parse(approval.createdAt));
      const oldestMs = Math.max(0, now() - createdMs.reduce((oldest, one) => Math.min(oldest, one), now()));
      return { count: pending.length, oldestMs };
    },
    async decide({ id, approve, by, note }) {
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      const isDecided = stateOf(entry) === "pending";
      if (isDecided) {
        const verdict = approve ? "approved" : "denied";
        entry.state = verdict;
        entry.approval.decision = verdict;
        entry.approval.note = note;
        entry.approval.decidedAt = new Date(now()).toISOString();
        entry.approval.decidedBy = by;
        byCaller.get(entry.approval.caller)?.waiting.delete(entry);
        onChange?.(shown(entry));
      }
      return { approval: shown(entry), isDecided };
    },
    async deleteOld(keepMs) {
      const before = entries.size;
      for (const caller of byCaller.keys()) waitingOf(caller);
      for (const entry of entries.values()) if (entry.expiresMs < now() - keepMs) forget(entry);
      return before - entries.size;
    },
    close: () => Promise.resolve(),
  };
}

function newestFirst(one: ApprovalEntry, other: ApprovalEntry): number {
  if (one === other) return 0;
  return one.approval.id < other.approval.id ? 1 : -1;
}

/** The next to expire first. */
function byExpiry(one: ApprovalEntry, other: ApprovalEntry): number {
  return one.expiresMs - other.expiresMs || newestFirst(other, one);
}

function waitingIn({ approval, expiresMs }: ApprovalEntry, nowMs: number): PendingApproval {
  return { bytes: Buffer.byteLength(approval.arguments), leftMs: expiresMs - nowMs };
}

import { formatId } from "@recourse/core";
import { randomBytes } from "@recourse/core/wire";
import {
  type Approval,
  type ApprovalState,
  type ApprovalStore,
  findReachedBound,
  KEEP_UNDECIDED_MS,
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

/** Approvals in this process. They are lost when it stops: a person is asked again. */
export function memoryApprovals({
  now = Date.now,
  bounds = PENDING_BOUNDS,
  max = 10_000,
  onChange,
}: MemoryApprovalsOptions = {}): ApprovalStore {
  /** In the order in which they were asked for. */
  const entries = new Map<string, ApprovalEntry>();
  const isLive = (entry: ApprovalEntry) => entry.expiresMs > now();
  const stateOf = (entry: ApprovalEntry) => (entry.state !== "consumed" && !isLive(entry) ? "expired" : entry.state);
  /** Nobody decided in time: the arguments go at the next deletion, and are shown no more. */
  const isMissed = (entry: ApprovalEntry) => entry.approval.decidedAt === undefined && !isLive(entry);
  const shown = (entry: ApprovalEntry): Approval => ({
    ...entry.approval,
    ...(isMissed(entry) && { arguments: "" }),
    state: stateOf(entry),
    expiresAt: new Date(entry.expiresMs).toISOString(),
  });
  const allWhere = (test: (entry: ApprovalEntry) => boolean) => [...entries.values()].filter(test);

  const hasRoom = (): boolean => {
    if (entries.size < max) return true;
    for (const [id, entry] of entries) if (!isLive(entry)) return entries.delete(id);
    return false;
  };

  return {
    async consume({ binding, expiresMs, ...request }, call) {
      const { tenant, caller, tool, arguments: args, policy } = request;
      const known = allWhere((entry) => entry.binding === binding);
      const live = known.filter(isLive);
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
      const waiting = allWhere((entry) => entry.approval.caller === caller && stateOf(entry) === "pending");
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
      entries.set(id, entry);
      const { expiresAt } = shown(entry);
      onChange?.({ id, state: "pending", tenant, caller, tool, expiresAt });
      return { state: known.length > 0 ? "expired" : "pending", id, expiresAt };
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
    async list({ state, tenant, tool, caller, before, limit }) {
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
      const pending = allWhere((entry) => stateOf(entry) === "pending");
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
        onChange?.(shown(entry));
      }
      return { approval: shown(entry), isDecided };
    },
    async deleteOld(keepMs) {
      const before = entries.size;
      for (const [id, entry] of entries) {
        const isUndecided = isMissed(entry);
        if (entry.expiresMs < now() - (isUndecided ? Math.min(keepMs, KEEP_UNDECIDED_MS) : keepMs)) entries.delete(id);
        else if (isUndecided) entry.approval.arguments = "";
      }
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

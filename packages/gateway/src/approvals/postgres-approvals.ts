import { formatId } from "@recourse/core";
import { randomBytes } from "@recourse/core/wire";
import type { ApprovalRequest } from "../call/binding.ts";
import type { Pool, QueryResultRow } from "../stores/postgres.ts";
import * as sql from "./approval-statements.ts";
import {
  type Approval,
  type ApprovalState,
  type ApprovalStore,
  type ConsumeAnswer,
  findReachedBound,
  KEEP_UNDECIDED_MS,
  MAX_COUNTED,
  type OnApprovalChange,
  PENDING_BOUNDS,
  type PendingApproval,
  type PendingBounds,
} from "./approvals.ts";

export interface PostgresApprovals extends ApprovalStore {
  /** Gives back what a call consumed that never got its answer. */
  undo(binding: string, call: string): Promise<void>;
}

export interface PostgresApprovalsOptions {
  /** Makes an id that nobody guesses, and that sorts by time. */
  readonly newId?: () => string;
  readonly bounds?: PendingBounds;
  /** Receives what this process makes pending or decides. @default nobody */
  readonly onChange?: OnApprovalChange | undefined;
}

/** How often a call looks again after others changed the same approval. Each time, another call got further. */
const MAX_ROUNDS = 20;
/** Rows of one statement that deletes. */
const BATCH = 1_000;

/** The approvals of a database whose table was made by `createApprovalTable`. All processes share them. */
export function postgresApprovals(
  pool: Pool,
  {
    newId = () => formatId(Date.now(), randomBytes()),
    bounds = PENDING_BOUNDS,
    onChange,
  }: PostgresApprovalsOptions = {},
): PostgresApprovals {
  const run = async <Row extends QueryResultRow>(text: string, ...values: unknown[]) => {
    const { rows, rowCount } = await pool.query<Row>({ text, values });
    return { rows, count: rowCount ?? 0 };
  };

  const take = async (binding: Buffer, call: string): Promise<ConsumeAnswer | undefined> => {
    const [taken] = (await run<{ id: string }>(sql.TAKE_APPROVAL, binding, call)).rows;
    return taken && { state: "consumed", id: taken.id };
  };

  /** What blocks the call; `approved` if it has to try again, undefined if no approval was requested. */
  const look = async (binding: Buffer): Promise<ConsumeAnswer | "approved" | undefined> => {
    const { rows } = await run<LiveRow>(sql.LOOK_AT_APPROVALS, binding);
    const live = rows.filter((row) => row.is_live);
    const denied = live.find((row) => row.state === "denied");
    if (denied !== undefined) return { state: "denied", id: denied.id, expiresAt: denied.expires.toISOString() };
    if (live.some((row) => row.state === "approved")) return "approved";
    const [pending] = live;
    if (pending !== undefined) return { state: "pending", id: pending.id, expiresAt: pending.expires.toISOString() };
    if (rows.some((row) => row.state !== "approved")) await run(sql.RETIRE, binding);
    return undefined;
  };

  const ask = async (binding: Buffer, request: ApprovalRequest): Promise<ConsumeAnswer | undefined> => {
    const { tenant, caller, tool, arguments: args, policy, expiresMs } = request;
    const values = [newId(), binding, tenant, caller, tool, args, policy, expiresMs, bounds.calls, bounds.bytes];
    const [asked] = (await run<AskedRow>(sql.ASK, ...values)).rows;
    if (asked === undefined) return undefined;
    const { id, expires, is_again, waiting } = asked;
    if (id !== null && expires !== null) {
      const expiresAt = expires.toISOString();
      onChange?.({ id, state: "pending", tenant, caller, tool, expiresAt });
      return { state: is_again ? "expired" : "pending", id, expiresAt };
    }
    const full = findReachedBound(waiting ?? [], Buffer.byteLength(args), bounds);
    return full && { state: "full", ...full };
  };

  return {
    async consume(request, call) {
      const binding = Buffer.from(request.binding, "hex");
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const taken = await take(binding, call);
        if (taken !== undefined) return taken;
        const found = (await look(binding)) ?? (await ask(binding, request));
        if (found !== undefined && found !== "approved") return found;
      }
      throw new Error("The approval changed again and again.");
    },
    async giveBack(id, call) {
      await run(sql.GIVE_BACK_APPROVAL, call, id);
    },
    async undo(binding, call) {
      await run(sql.UNDO, call, Buffer.from(binding, "hex"));
    },
    async find(id) {
      const [row] = (await run<ApprovalRow>(sql.FIND_APPROVAL, id)).rows;
      return row && approvalIn(row);
    },
    async list({ state, tenant, tool, caller, before, limit }) {
      const values = [tenant ?? null, tool ?? null, caller ?? null, before ?? null, limit];
      const work =
        state === "pending"
          ? run<ApprovalRow>(sql.LIST_PENDING, ...values)
          : state === "decided"
            ? run<ApprovalRow>(sql.LIST_DECIDED, ...values)
            : run<ApprovalRow>(sql.LIST, ...values, state ?? null);
      return (await work).rows.map(approvalIn);
    },
    async countPending() {
      const [row] = (await run<{ count: number; oldest_ms: number }>(sql.COUNT_PENDING, MAX_COUNTED)).rows;
      return { count: row?.count ?? 0, oldestMs: Math.max(0, row?.oldest_ms ?? 0) };
    },
    async decide({ id, approve, by, note }) {
      const verdict = approve ? "approved" : "denied";
      const [decided] = (await run<ApprovalRow>(sql.DECIDE, id, verdict, by, note ?? null)).rows;
      if (decided !== undefined) {
        const approval = approvalIn(decided);
        onChange?.(approval);
        return { approval, isDecided: true };
      }
      const approval = await this.find(id);
      return approval && { approval, isDecided: false };
    },
    async deleteOld(keepMs) {
      const undecidedMs = Math.min(keepMs, KEEP_UNDECIDED_MS);
      const total = await inBatches(() => run(sql.DELETE_OLD, keepMs, undecidedMs, BATCH));
      await inBatches(() => run(sql.DROP_ARGUMENTS, BATCH));
      return total;
    },
    close: () => Promise.resolve(),
  };
}

/** Repeats a change of at most `BATCH` rows until none is left. Gives how many there were. */
async function inBatches(change: () => Promise<{ readonly count: number }>): Promise<number> {
  let total = 0;
  for (;;) {
    const { count } = await change();
    total += count;
    if (count < BATCH) return total;
  }
}

interface LiveRow {
  readonly id: string;
  readonly state: "pending" | "approved" | "denied";
  readonly expires: Date;
  readonly is_live: boolean;
}

interface AskedRow {
  readonly id: string | null;
  readonly expires: Date | null;
  readonly is_again: boolean;
  /** What waits, if no approval was requested. */
  readonly waiting: readonly PendingApproval[] | null;
}

interface ApprovalRow {
  readonly id: string;
  readonly state: ApprovalState;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  readonly arguments: string;
  readonly policy: string;
  readonly created: Date;
  readonly expires: Date;
  readonly decided: Date | null;
  readonly decided_by: string | null;
  readonly decision: "approved" | "denied" | null;
  readonly note: string | null;
}

function approvalIn({ created, expires, decided, decided_by, decision, note, ...row }: ApprovalRow): Approval {
  return {
    ...row,
    createdAt: created.toISOString(),
    expiresAt: expires.toISOString(),
    decidedAt: decided?.toISOString(),
    decidedBy: decided_by ?? undefined,
    decision: decision ?? undefined,
    note: note ?? undefined,
  };
}

import { sleep } from "@recourse/core/wire";
import { isDataError } from "@recourse/stores/postgres";
import type { Observer } from "../call/observer.ts";
import { AwayGate } from "../stores/away-gate.ts";
import type { Stores } from "../stores/open-stores.ts";
import { errorCode } from "../stores/store-error.ts";
import { createApprovalTable } from "./approval-statements.ts";
import type { ApprovalStore, OnApprovalChange } from "./approvals.ts";
import { memoryApprovals } from "./memory-approvals.ts";
import { type PostgresApprovals, postgresApprovals } from "./postgres-approvals.ts";

/** Rows are kept this long after they expired, so that persons can look back. */
const KEEP_MS = 30 * 24 * 3_600_000;
/** Arguments that nobody decided about are gone a minute after they expired. */
const DELETE_EVERY_MS = 60_000;

/** Opens the store of the approvals; even if no tool needs one yet, since a new configuration may. */
export async function openApprovals(
  stores: Stores,
  observer: Pick<Observer, "switched" | "log">,
  { onChange }: { readonly onChange?: OnApprovalChange } = {},
): Promise<ApprovalStore> {
  if (stores.mode === "memory") return deletingOld(memoryApprovals({ onChange }), observer);
  await createApprovalTable(stores.pool);
  return deletingOld(approvalsInReach(postgresApprovals(stores.pool, { onChange }), observer), observer);
}

/** A store that deletes what is old, from time to time, until it is closed. */
function deletingOld(store: ApprovalStore, observer: Pick<Observer, "log">): ApprovalStore {
  const closing = new AbortController();
  const { signal } = closing;
  void (async () => {
    while (!signal.aborted) {
      await sleep(DELETE_EVERY_MS, signal).catch(() => {});
      if (signal.aborted) return;
      // The next time may be better.
      await store.deleteOld(KEEP_MS).catch(() => observer.log("warn", "Old approvals could not be deleted."));
    }
  })();
  return {
    ...store,
    close() {
      closing.abort();
      return store.close();
    },
  };
}

interface InReachOptions {
  /** How long one question may take. @default 2_000 */
  readonly timeoutMs?: number;
  /** How long to wait between two looks at a database that is down. @default 250 */
  readonly probeEveryMs?: number;
}

/** Approvals that have to be given back are remembered until the database is there again, up to this many. */
const MAX_OWED = 10_000;
/** No approval has this id. */
const NO_ID = "-";

/**
 * Approvals of a database that can be away: then everything rejects at once. What was consumed for a call that never
 * learnt of it, and what could not be given back, is given back as soon as the database answers.
 */
export function approvalsInReach(
  inner: PostgresApprovals,
  observer: Pick<Observer, "switched" | "log">,
  { timeoutMs = 2_000, probeEveryMs = 250 }: InReachOptions = {},
): ApprovalStore {
  const owed = new Map<string, () => Promise<void>>();
  const gate = new AwayGate({
    timeoutMs,
    probeEveryMs,
    async probe() {
      await inner.find(NO_ID);
      await settle();
    },
    onSwitch(state, cause) {
      const isAway = state === "away";
      observer.switched("approvals", state, isAway ? "calls that need an approval are refused" : "they are looked up");
      if (isAway) observer.log("warn", "The database of the approvals does not answer.", { code: errorCode(cause) });
      // What was owed since the probe looked.
      else void settle().catch(() => {});
    },
  });

  const owe = (call: string, give: () => Promise<void>) => {
    if (owed.size < MAX_OWED) owed.set(call, give);
    else observer.log("error", "An approval stays used up, and its call was not made.");
  };
  const settle = async () => {
    for (const [call, give] of owed) {
      await give();
      owed.delete(call);
    }
  };

  return {
    async consume(request, call) {
      let work: ReturnType<ApprovalStore["consume"]> | undefined;
      try {
        return await gate.run(() => {
          work = inner.consume(request, call);
          return work;
        });
      } catch (cause) {
        // A statement whose data were refused has consumed nothing.
        if (work !== undefined && !isDataError(cause)) {
          const undo = () => inner.undo(request.binding, call);
          owe(call, undo);
          // An answer that comes too late is the last word of the database: what it consumed is given back once more.
          void work.then(undo).catch(() => {});
        }
        throw cause;
      }
    },
    async giveBack(id, call) {
      const give = () => inner.giveBack(id, call);
      await gate.run(give).catch(() => owe(call, give));
    },
    find: (id) => gate.run(() => inner.find(id)),
    list: (filter) => gate.run(() => inner.list(filter)),
    countPending: () => gate.run(() => inner.countPending()),
    decide: (decision) => gate.run(() => inner.decide(decision)),
    deleteOld: (keepMs) => inner.deleteOld(keepMs),
    async close() {
      await gate.run(settle).catch(() => {});
      gate.close();
      if (owed.size > 0)
        observer.log("error", "Approvals stay used up, and their calls were not made.", { count: owed.size });
      await inner.close();
    },
  };
}

import { sleep } from "@recourse/faults/internal-do-not-use";
import type { Stores } from "../stores/open-stores.ts";
import type { Observer } from "../telemetry/observer.ts";
import type { ApprovalStore } from "./approvals.ts";
import { approvalsInReach } from "./approvals-in-reach.ts";
import { createApprovalTable } from "./approvals-table.ts";
import { memoryApprovals } from "./memory-approvals.ts";
import { postgresApprovals } from "./postgres-approvals.ts";

/** Rows are kept this long after they expired, so that persons can look back. */
const KEEP_MS = 30 * 24 * 3_600_000;
/** Arguments that nobody decided about are gone a minute after they expired. */
const DELETE_EVERY_MS = 60_000;

/** Opens the store of the approvals; also where no tool needs one yet, since a new configuration may say so. */
export async function openApprovals(
  stores: Stores,
  observer: Pick<Observer, "switched" | "log">,
): Promise<ApprovalStore> {
  if (stores.mode === "memory") return deletingOld(memoryApprovals(), observer);
  await createApprovalTable(stores.pool);
  return deletingOld(approvalsInReach(postgresApprovals(stores.pool), observer), observer);
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

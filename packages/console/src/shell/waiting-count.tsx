import { useEffect } from "preact/hooks";
import type { Approval, Page } from "../api/types.ts";
import { count } from "../format/numbers.ts";
import { POLL_MS, useResource } from "../state/resource.ts";
import { WAITING_PATH, WAITING_SHOWN, waitingApprovals } from "../state/title.ts";

/** How many approvals wait for a person. */
export function WaitingCount() {
  const { value } = useResource<Page<Approval>>(WAITING_PATH, { everyMs: POLL_MS });
  // An odd answer leaves the count out, and nothing else.
  const ids = value?.items?.filter?.((item) => item?.state === "pending").map(({ id }) => id);
  const isMore = value?.next !== null && ids?.length === WAITING_SHOWN;
  useEffect(() => {
    if (ids !== undefined) waitingApprovals.value = { count: ids.length, isMore, ids };
  }, [ids?.join(" "), isMore]);
  const known = waitingApprovals.value;
  if (known === undefined || known.count === 0) return null;
  return (
    <em class="count">
      {count(known.count)}
      {known.isMore && "+"}
      <span class="sr"> waiting</span>
    </em>
  );
}

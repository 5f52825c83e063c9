import { useEffect } from "preact/hooks";
import type { Approval, Page } from "../api/types.ts";
import { count } from "../format/numbers.ts";
import { useLiveRefresh } from "../state/live.ts";
import { useResource } from "../state/resource.ts";
import { waitingApprovals } from "../state/title.ts";

/** More are shown as "50+". */
const MAX_COUNTED = 50;

/** How many approvals wait for a person. */
export function WaitingCount() {
  const { value, reload } = useResource<Page<Approval>>(`approvals?state=pending&limit=${MAX_COUNTED}`, {
    everyMs: 60_000,
  });
  useLiveRefresh(["approval"], reload);
  // An odd answer leaves the count out, and nothing else.
  const waiting = value?.items?.filter?.((item) => item?.state === "pending").length;
  const isMore = value?.next !== null && waiting === MAX_COUNTED;
  useEffect(() => {
    if (waiting !== undefined) waitingApprovals.value = { count: waiting, isMore };
  }, [waiting, isMore]);
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

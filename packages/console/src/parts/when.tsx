import { ago, clock, fullTime } from "../format/time.ts";
import { now } from "../state/clock.ts";

/** A time: relative, with the absolute one on hover and focus, or the other way round. */
export function When({ at, show = "ago" }: { readonly at: string; readonly show?: "ago" | "clock" }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {show === "ago" ? ago(at, now.value) : clock(at)}
    </time>
  );
}

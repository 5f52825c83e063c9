import type { ComponentChildren } from "preact";
import type { ApiFailure } from "../api/client.ts";
import { clock } from "../format/time.ts";
import { isUnreachable } from "../state/reach.ts";
import { Skeleton } from "./skeleton.tsx";

/** What can be away: the last value with its age, and the fault with a way to try again. */
export function Part<T>({
  value,
  asOf,
  failure,
  onRetry,
  bones,
  children,
}: {
  readonly value: T | undefined;
  readonly asOf?: string | number | undefined;
  /** Why there is nothing newer. */
  readonly failure?: Pick<ApiFailure, "sentence" | "incident"> | undefined;
  readonly onRetry?: (() => void) | undefined;
  /** How many lines the value will have, while it is not there. */
  readonly bones: number;
  readonly children: (value: T) => ComponentChildren;
}) {
  // While nothing answers, the strip under the head says why; the part says how old it is.
  const isSaidAbove = isUnreachable.value !== undefined && value !== undefined;
  return (
    <>
      {failure !== undefined && isSaidAbove && asOf !== undefined && <p class="part-age sub">As of {clock(asOf)}.</p>}
      {failure !== undefined && !isSaidAbove && (
        <div class="part-away" role="status">
          {value !== undefined && asOf !== undefined && <b>As of {clock(asOf)}. </b>}
          {failure.sentence}
          {failure.incident !== undefined && ` Incident ${failure.incident}.`}
          {onRetry !== undefined && (
            <button type="button" class="btn small" onClick={onRetry}>
              Try now
            </button>
          )}
        </div>
      )}
      {value !== undefined ? children(value) : failure === undefined && <Skeleton lines={bones} />}
    </>
  );
}

// What concerns the whole page and not one of its parts: strips under the head.
import { signal } from "@preact/signals";
import { clock, left, span } from "../format/time.ts";
import { Icon } from "../parts/icon.tsx";
import { now } from "../state/clock.ts";
import { askAgain, isUnreachable } from "../state/reach.ts";

/** A file of this page is gone because a newer console is served now. */
export const isUpgraded = signal(false);

/** The strips under the head. */
export function Strips() {
  return (
    <div role="status">
      {isUpgraded.value && (
        <p class="strip">
          <Icon name="process" />
          <span>The gateway was upgraded.</span>
          <button type="button" class="btn small" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      )}
      {isUnreachable.value !== undefined && (
        <div class="strip">
          <Icon name="breaker" />
          <span>
            <b>{isUnreachable.value.sentence}</b> Last answer at {clock(isUnreachable.value.lastAnswerAt)}.{" "}
            <Countdown />
          </span>
          <button type="button" class="btn small" onClick={askAgain}>
            Try now
          </button>
        </div>
      )}
    </div>
  );
}

/** It moves each second, so it is not announced. */
function Countdown() {
  if (isUnreachable.value === undefined) return null;
  const { lastAnswerAt, nextTryAt } = isUnreachable.value;
  return (
    <span aria-live="off" class="sub">
      {span(now.value - lastAnswerAt)} ago, next try in {left(nextTryAt - now.value)}
    </span>
  );
}

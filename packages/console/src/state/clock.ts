// One clock for the whole page: ages and countdowns move together, once a second.
import { signal } from "@preact/signals";

/** The time in ms since 1970, each second. */
export const now = signal(Date.now());

/** Starts the clock. A hidden page does not move. Gives what ends it. */
export function startClock(): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === "visible") now.value = Date.now();
  }, 1_000);
  return () => clearInterval(timer);
}

// The figures of the documentation, in the order of the landing page.
import { approval } from "./approval.ts";
import { breakerStates } from "./breaker-states.ts";
import { callPath } from "./call-path.ts";
import { effect } from "./effect.ts";
import type { Figure } from "./figure.ts";
import { leasedLimits } from "./leased-limits.ts";
import { storeOutage } from "./store-outage.ts";
import { threeReaders } from "./three-readers.ts";
import { whoActs } from "./who-acts.ts";

export { renderFigure } from "./figure.ts";

/** All figures. */
export const FIGURES: readonly Figure[] = [
  threeReaders,
  callPath,
  effect,
  whoActs,
  breakerStates,
  approval,
  leasedLimits,
  storeOutage,
];

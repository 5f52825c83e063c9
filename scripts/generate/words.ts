import { type Fault, KINDS, type KindRow, knownKind } from "@recourse/faults";
import { code } from "./markdown.ts";
import { sampleFault } from "./samples.ts";

/** Who acts, in words. */
export const ACTORS = {
  model: "the model",
  host: "the host software",
  person: "a person",
  time: "nobody; time has to pass",
  engine: "the engine that repeats calls, else the model",
  operator: "the operator",
  nobody: "nobody",
} as const satisfies Record<KindRow["actor"], string>;

/** What an effect says, in words. */
export const EFFECTS = {
  none: "nothing was changed",
  possible: "it may have taken effect",
  applied: "it has taken effect",
} as const satisfies Record<KindRow["effect"], string>;

/** When a kind repeats, in words. */
export const REPEATS = {
  never: "no, not as it stands",
  authenticated: "once, with new credentials",
  approved: "after the approval",
  waited: "yes, after the wait",
  harmless: "only where repeating does no harm",
} as const satisfies Record<KindRow["repeat"], string>;

/** Whether the call of a fault may be repeated, in words. */
export function sayRepeat(fault: Fault): string {
  if (fault.retry?.allowed === false) return "no, waiting does not help";
  if (fault.retry?.allowed === true) return `yes, after ${(fault.retry.afterMs ?? 0) / 1000} s`;
  const { repeat } = KINDS[knownKind(fault)];
  return repeat === "harmless" && fault.effect === "none" ? "yes, it was not carried out" : REPEATS[repeat];
}

/** The moves that are derived for a reason, and that it may be retried once repeating does no harm. */
export function sayMoves(id: string): string {
  const usual = moves(sampleFault(id));
  const harmless = moves(sampleFault(id, { repeatable: true }));
  const both = usual.includes("retry") || !harmless.includes("retry") ? [usual] : [usual, harmless];
  return both.map((some) => some.map(code).join(", then ")).join(", or where repeating does no harm ");
}

function moves(fault: Fault): string[] {
  return fault.recourse.map((move) => move.do);
}

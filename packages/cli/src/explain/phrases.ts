import { type Fault, KINDS, type KindRow, knownKind } from "@recourse/faults";

/** Who has to act. */
export const ACTORS = {
  model: "the model",
  host: "the host software",
  person: "a person",
  time: "no one: wait",
  engine: "the engine that repeats calls, else the model",
  operator: "the operator",
  nobody: "no one",
} as const satisfies Record<KindRow["actor"], string>;

/** The meaning of each effect. */
export const EFFECTS = {
  none: "nothing was changed",
  possible: "it may have taken effect",
  applied: "it has taken effect",
} as const satisfies Record<KindRow["effect"], string>;

/** Whether a call may be repeated, for each kind. */
export const REPEATS = {
  never: "no",
  after_credentials: "once, with new credentials",
  after_approval: "after the approval",
  after_wait: "yes, after the wait",
  if_safe: "only where repeating does no harm",
} as const satisfies Record<KindRow["retryWhen"], string>;

/** Whether the call may be repeated after this fault. */
export function sayRepeat(fault: Fault): string {
  if (fault.retry?.allowed === false) return "no, waiting does not help";
  if (fault.retry?.allowed === true) return `yes, after ${(fault.retry.afterMs ?? 0) / 1000} s`;
  const { retryWhen: repeat } = KINDS[knownKind(fault)];
  return repeat === "if_safe" && fault.effect === "none" ? "yes, it was not carried out" : REPEATS[repeat];
}

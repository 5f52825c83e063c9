import type { Fault } from "@recourse/core";
import { KINDS, type KindRow, knownKind } from "@recourse/core";

/** Whether a call may be repeated, for each rule of a kind, in a few words. */
const REPEAT_PHRASES = {
  never: "no",
  after_credentials: "once, with new credentials",
  after_approval: "after the approval",
  after_wait: "yes, after the wait",
  if_safe: "only if repeating is safe",
} as const satisfies Record<KindRow["retryWhen"], string>;

/**
 * Whether the call may be repeated, in a few words: after a fault, or by the rule of a kind.
 *
 * @example
 * sayRepeat(fault); // "yes, after 30 s"
 * sayRepeat(KINDS.timeout.retryWhen); // "only if repeating is safe"
 */
export function sayRepeat(after: Fault | KindRow["retryWhen"]): string {
  if (typeof after === "string") return REPEAT_PHRASES[after];
  const { retry, effect } = after;
  if (retry?.allowed === false) return "no, waiting does not help";
  if (retry?.allowed === true) return `yes, after ${(retry.afterMs ?? 0) / 1000} s`;
  const { retryWhen: repeat } = KINDS[knownKind(after)];
  return repeat === "if_safe" && effect === "none" ? "yes, it was not carried out" : REPEAT_PHRASES[repeat];
}

// What the page of an approval says about time and about decisions.
import type { Approval } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { clock, span } from "../../format/time.ts";
import { readDecision } from "./call-arguments.ts";

/** What is left on a clock, such as `11:20` or `1:02:05`. */
export function countDown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** When a person who does not see the clock hears how much is left. */
const SPOKEN = [
  [10_000, "10 seconds left."],
  [60_000, "1 minute left."],
  [300_000, "5 minutes left."],
] as const;

/** The sentence for the last mark that was passed while the page was open; empty before the first. */
export function spokenCountdown(leftMs: number, openedWithMs: number): string {
  if (leftMs <= 0) return "";
  return SPOKEN.find(([mark]) => leftMs <= mark && mark < openedWithMs)?.[1] ?? "";
}

/** How long the call may be made after an approval, in words: `within 11 minutes`. */
export function withinWords(leftMs: number): string {
  const minutes = Math.floor(leftMs / 60_000);
  if (minutes < 1) return "within a minute";
  if (minutes >= 120) return `within ${span(leftMs)}`;
  return minutes === 1 ? "within 1 minute" : `within ${minutes} minutes`;
}

/** What became of an approval that this person has just decided. */
export function outcomeSentence(approval: Approval): string {
  const until = clock(approval.expiresAt, { seconds: false });
  return readDecision(approval) === "approved"
    ? `Approved. The caller may make this call until ${until}.`
    : `Denied. The same call is refused until ${until}.`;
}

/** What stands in the place of the buttons, if there is nothing to decide any more; undefined while it waits. */
export function closedSentence(approval: Approval, nowMs: number): string | undefined {
  const decision = readDecision(approval);
  const { decidedAt, decidedBy = "an operator", state, expiresAt } = approval;
  if (decision !== undefined && decidedAt !== undefined) {
    const end = state === "consumed" ? " The call was made." : "";
    return `Already ${decision} by ${showHidden(decidedBy)} at ${clock(decidedAt)}.${end}`;
  }
  if (state === "pending" && Date.parse(expiresAt) > nowMs) return undefined;
  return "It has expired. The caller is asked to try again, and a new approval appears then.";
}

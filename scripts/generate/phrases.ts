import type { Fault } from "@recourse/faults";
import { code } from "./markdown.ts";
import { sampleFault } from "./samples.ts";

/** The moves of a reason, and those where repeating does no harm, if only they include a retry. */
export function sayMoves(id: string): string {
  const usual = moves(sampleFault(id));
  const harmless = moves(sampleFault(id, { repeatable: true }));
  const both = usual.includes("retry") || !harmless.includes("retry") ? [usual] : [usual, harmless];
  return both.map((some) => some.map(code).join(", then ")).join(", or where repeating does no harm ");
}

function moves(fault: Fault): string[] {
  return fault.recourse.map((move) => move.do);
}

import type { Fault } from "@recourse/core";
import { code } from "./markdown.ts";
import { sampleFault } from "./samples.ts";

/** The moves of a reason, and the moves if repeating is safe when only those include a retry. */
export function sayMoves(id: string): string {
  const usual = moves(sampleFault(id));
  const harmless = moves(sampleFault(id, { repeatable: true }));
  const both = usual.includes("retry") || !harmless.includes("retry") ? [usual] : [usual, harmless];
  return both.map((some) => some.map(code).join(", then ")).join("; if repeating is safe, ");
}

function moves(fault: Fault): string[] {
  return fault.recourse.map((move) => move.do);
}

import { toLine } from "@recourse/faults/internal-do-not-use";
import type { CauseId } from "./causes.ts";

/** A cause that was found in one run. What is absent is said by the table of causes. */
export interface Finding {
  readonly id: CauseId;
  /** One sentence about this run: what happened. */
  readonly saw: string;
  /** Why, where more is known than the table says. */
  readonly because?: string;
  /** What to do, where more is known than the table says. */
  readonly fix?: string;
  /** A command or code that can be copied, with the names of this run. */
  readonly code?: string;
  /** The next command to run. */
  readonly next?: string;
}

/** A rule of a table: it looks at what was seen and names a cause, or passes. */
export type Rule<Seen> = (seen: Seen) => Finding | undefined;

/** The verdict of the first rule that has one. */
export function firstFinding<Seen>(rules: readonly Rule<Seen>[], seen: Seen): Finding | undefined {
  for (const rule of rules) {
    const found = rule(seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

const QUOTE_LENGTH = 160;

/** Text of a server in quotes, on one printable line. */
export function quote(text: string, max: number = QUOTE_LENGTH): string {
  return `"${toLine(text, max).replaceAll('"', "'")}"`;
}

/** Milliseconds as people read them: `180 ms`, `2.4 s`. */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

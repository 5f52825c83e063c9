// What the parts of deploy/check.ts have in common.
import { setTimeout as wait } from "node:timers/promises";

/** How one check ended. What a machine cannot do is "not run", never "passed". */
export type CheckResult =
  | { readonly name: string; readonly outcome: "passed" }
  | { readonly name: string; readonly outcome: "failed"; readonly problems: readonly string[] }
  | { readonly name: string; readonly outcome: "not run"; readonly why: string };

/** A part of the check: all that needs the same programs. */
export type DeployPart = () => Promise<readonly CheckResult[]>;

/** The result of a check that found these problems. */
export function resultOf(name: string, problems: readonly string[]): CheckResult {
  return problems.length === 0 ? { name, outcome: "passed" } : { name, outcome: "failed", problems };
}

/** The result of a check that could not run. */
export function notRun(name: string, why: string): CheckResult {
  return { name, outcome: "not run", why };
}

/** Waits until something is true; it rejects after this time. `what` is for the error. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs: number = 30_000,
): Promise<void> {
  const started = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - started > withinMs) throw new Error(`not within ${withinMs / 1_000} s: ${what}`);
    // Not faster: some of the questions are calls, and callers have limits.
    await wait(100);
  }
}

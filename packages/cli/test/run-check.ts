// Runs one check on a recording made by hand.
import { CHECKS } from "../src/checks/catalogue.ts";
import type { CheckResult } from "../src/checks/check.ts";
import type { Exchange } from "../src/recording/recording.ts";
import { viewOf } from "./make-recording.ts";

/** One case: what was sent and answered, and what is said about it. */
export interface CheckCase {
  readonly about: string;
  readonly exchanges: readonly Exchange[];
  readonly view?: Parameters<typeof viewOf>[1];
  /** `pass`, `skipped`, or what the sentence of the finding contains. */
  readonly says: string;
}

/** What a check says about a case: its state, or the sentence of its finding. */
export function saysOf(id: string, { exchanges, view = {} }: CheckCase): string {
  const check = CHECKS.find((one) => one.id === id);
  if (check === undefined) throw new Error(`There is no check "${id}".`);
  return textOf(check.run(viewOf(exchanges, view)));
}

function textOf(result: CheckResult): string {
  return result.state === "fail" ? result.message : result.state;
}

import type { FaultClass } from "../../fault/kinds.ts";
import { unrecognised } from "../../reasons/library/core.ts";
import type { TableReason } from "../dialect.ts";
import { CLASS_ROWS, WORDS } from "./table.ts";

/**
 * The reason behind a class and a sentence. The sentence is looked at only for the words that the contract fixes, and
 * only where the class agrees; a reply that says no class and none of those words is not understood.
 */
export function reasonFor(group: FaultClass | undefined, sentence: string | undefined): TableReason {
  const { rateLimit, unauthorized } = WORDS;
  const says = (words: RegExp): boolean => sentence !== undefined && words.test(sentence);
  if ((group === undefined || group === "retryable") && says(rateLimit.said)) return rateLimit.reason;
  if ((group === undefined || group === "permission") && says(unauthorized.said)) return unauthorized.reason;
  return group === undefined ? unrecognised : CLASS_ROWS[group].reason;
}

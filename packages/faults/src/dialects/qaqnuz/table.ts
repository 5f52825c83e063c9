import type { FaultClass } from "../../fault/kinds.ts";
import { access_denied, unauthorized } from "../../reasons/library/auth.ts";
import {
  overloaded,
  precondition_failed,
  rate_limited,
  upstream_failed,
  validation_failed,
} from "../../reasons/library/core.ts";
import { unreachable } from "../../reasons/library/tool.ts";
import type { TableReason } from "../dialect.ts";

/** What one of the five classes means here, and whether it may carry a hint for retrying. */
export interface Row {
  readonly reason: TableReason;
  readonly hint: boolean;
}

/** The five classes of the system, which are ours: a class is all that its clients branch on. */
export const CLASS_ROWS = {
  validation: { reason: validation_failed, hint: false },
  permission: { reason: access_denied, hint: false },
  retryable: { reason: overloaded, hint: true },
  dependency: { reason: upstream_failed, hint: true },
  terminal: { reason: precondition_failed, hint: false },
} as const satisfies Record<FaultClass, Row>;

/** The words that the contract fixes: its clients look for them in the sentence. */
export const WORDS = {
  /** Anywhere in the sentence, in any case. */
  rateLimit: { said: /rate limit/i, reason: rate_limited },
  /** The whole sentence of every refused credential, whatever the cause. */
  unauthorized: { said: /^unauthorized\.?$/i, sentence: "Unauthorized", reason: unauthorized },
} as const;

/** Reasons that are one answer here, so that nobody learns whether a tool exists. */
export const HIDDEN_TOOLS: readonly string[] = ["tool/not_found", unreachable.id];

/** That one answer. */
export const HIDDEN_SENTENCE: string = unreachable.text;

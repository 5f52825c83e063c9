import type { Fault } from "../../fault/fault.ts";
import { classOf, type FaultClass, knownKind } from "../../fault/kinds.ts";
import { proseOf } from "../prose.ts";
import { HIDDEN_SENTENCE, HIDDEN_TOOLS, WORDS } from "./table.ts";

/** The class that a fault goes out as: its own, but a tool that cannot be reached is a matter of permission. */
export function classFor(fault: Fault): FaultClass {
  return HIDDEN_TOOLS.includes(fault.reason) ? "permission" : classOf(fault);
}

/** The one sentence that crosses the boundary; no ids, and nothing that tells one refusal from another. */
export function sentenceFor(fault: Fault): string {
  const kind = knownKind(fault);
  if (kind === "unauthenticated") return WORDS.unauthorized.sentence;
  if (HIDDEN_TOOLS.includes(fault.reason)) return HIDDEN_SENTENCE;
  const prose = proseOf(fault);
  return kind === "rate_limited" && !WORDS.rateLimit.said.test(prose) ? `Rate limit: ${prose}` : prose;
}

import type { Fault } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import { breaker_open, not_connected } from "../reasons/library/transport.ts";
import type { Evidence } from "./breaker.ts";

/** Calls that were held back here, so that the server never saw them. */
const UNSENT: readonly string[] = [breaker_open.id, not_connected.id];

/**
 * What a failure says about the server. An answer that blames the call shows that the server works. A guess, a
 * cancellation and a refusal of our own show nothing.
 */
export function evidenceOf(fault: Fault): Evidence {
  const kind = knownKind(fault);
  if (kind === "cancelled" || kind === "unknown" || fault.basis === "guessed") return "nothing";
  if (UNSENT.includes(fault.reason)) return "nothing";
  if (KINDS[kind].breaker) return "failing";
  return fault.origin.layer === "client" ? "nothing" : "alive";
}

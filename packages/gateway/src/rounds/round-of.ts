import { digestOf } from "../auth/digest.ts";
import type { Call } from "../pipeline/call.ts";
import { canonicalParams } from "./canonical-params.ts";
import type { RoundFacts } from "./rounds.ts";

/** The facts by which the rounds of a call are told from those of others; undefined for a call that goes to no upstream. */
export function roundFactsOf({ message, route, caller, key }: Call): RoundFacts | undefined {
  if (message === undefined || route?.kind !== "upstream" || caller === undefined) return undefined;
  return {
    caller: caller.id,
    upstream: route.upstream.options.name,
    method: message.method,
    params: () => digestOf(canonicalParams(message)),
    key,
  };
}

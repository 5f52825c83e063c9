import { roundFactsOf } from "../../rounds/round-of.ts";
import type { Rounds } from "../../rounds/rounds.ts";
import { withRequestState } from "../../rounds/with-request-state.ts";
import type { Step } from "../step.ts";

/** Signs the state of a call whose upstream asks for input, and frees what the call holds, so that it can go on. */
export function openRound({ rounds }: { readonly rounds: Rounds }): Step {
  return (call) => {
    if (!call.asksForInput || call.answer === undefined) return undefined;
    const facts = roundFactsOf(call);
    if (facts === undefined) return undefined;
    call.answer = withRequestState(call.answer, (state) => rounds.open(facts, state));
    // The caller may come back at once, and must not find its own call in the way.
    return call.reopen?.().then(() => undefined);
  };
}

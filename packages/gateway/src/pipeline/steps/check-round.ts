import { type Fault, protocol } from "@recourse/faults";
import { isObject } from "@recourse/faults/internal-do-not-use";
import { APPROVAL_QUESTION } from "../../approvals/ask-by-url.ts";
import type { RequestMessage } from "../../edge/message.ts";
import { roundFactsOf } from "../../rounds/round-of.ts";
import type { Rounds } from "../../rounds/rounds.ts";
import type { Step } from "../step.ts";

/**
 * Lets answers to a request for input through only where the gateway has passed that request on, for the same call of the
 * same caller. Whatever else a caller writes there would reach the upstream without being part of what was approved, or of
 * what an idempotency key was used for.
 */
export function checkRound({ rounds }: { readonly rounds: Rounds }): Step {
  return (call) => {
    const { message } = call;
    const { requestState, inputResponses } = message?.params ?? {};
    if (requestState === undefined && inputResponses === undefined) return undefined;
    const facts = roundFactsOf(call);
    if (message === undefined || facts === undefined) return undefined;
    if (inputResponses !== undefined && !isObject(inputResponses)) return refusal("inputResponses", "an object");
    const responses = responsesOf(message);
    if (requestState === undefined) return responses && refusal("inputResponses", NOT_OPEN);
    const found = typeof requestState === "string" ? rounds.find(facts, requestState) : undefined;
    if (found === undefined) return refusal("requestState", NOT_OPEN);
    call.round = { state: found.state, responses };
    return undefined;
  };
}

/** What the caller does next. */
const NOT_OPEN = "of an input_required that this same call got; otherwise leave inputResponses and requestState out";

function refusal(name: string, expected: string): Fault {
  const pointer = `/${name}`;
  const issues = [{ pointer, rule: "custom", expected }] as const;
  return protocol.request_state_invalid.fault({}, { issues, recourse: [{ do: "fix_input", fields: [pointer] }] });
}

/** The answers as JSON, each as it was written; undefined where there are none. The gateway's own question is taken out. */
function responsesOf({ bytes, spans }: RequestMessage): Buffer | undefined {
  const members = (spans.responses ?? []).filter(({ name }) => name !== APPROVAL_QUESTION);
  if (members.length === 0) return undefined;
  const texts = members.map(({ start, value }) => bytes.toString("utf8", start, value.end));
  return Buffer.from(`{${texts.join()}}`);
}

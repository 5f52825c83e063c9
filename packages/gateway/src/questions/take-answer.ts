import type { Fault } from "@recourse/core";
import { core, protocol } from "@recourse/core/reasons";
import type { Call, Step } from "../call/call.ts";
import type { CallerAnswer } from "../call/server-request.ts";
import type { AnswerOutcome, OpenQuestions } from "./open-questions.ts";

/** A replica that does not answer may be busy for a moment. */
const OWNER_AWAY_MS = 1_000;

/** A step for answers of callers only. Nearly all messages are none, and do not pay for it. */
export function forAnswers(step: Step): Step {
  return (call) => (call.callerAnswer === undefined ? undefined : step(call));
}

/** Passes the answer of a caller on to the call that waits for it. */
export function takeAnswer(questions: Pick<OpenQuestions, "answer">): Step {
  return (call) => {
    const { callerAnswer = NO_ANSWER, caller, session } = call;
    if (caller === undefined || session === undefined) return settleAnswer(call, "unknown");
    const outcome = questions.answer({ caller: caller.id, session: session.nonce }, callerAnswer);
    return outcome instanceof Promise ? outcome.then((one) => settleAnswer(call, one)) : settleAnswer(call, outcome);
  };
}

const NO_ANSWER: CallerAnswer = { id: undefined, answer: undefined };

function settleAnswer(call: Call, outcome: AnswerOutcome): Fault | undefined {
  // Nothing is left to be done, and the message counts against no limit of calls.
  call.route = { kind: "ignored" };
  switch (outcome) {
    case "taken":
      return undefined;
    case "unknown":
      // Late, doubled, made up, or for another caller: the sender does not learn which.
      return refusal("/id", "the id of a question to this session that waits for an answer");
    case "invalid":
      return refusal("/result", "an object, or an error with code and message");
    case "away":
      return core.unavailable.fault({}, { effect: "none", retry: { allowed: true, afterMs: OWNER_AWAY_MS } });
    default:
      return outcome satisfies never;
  }
}

function refusal(pointer: string, expected: string): Fault {
  return protocol.invalid_request.fault({}, { issues: [{ pointer, rule: "custom", expected }] });
}

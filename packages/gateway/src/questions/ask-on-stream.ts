import { refusedRequest, unansweredRequest } from "../call/server-request.ts";
import type { OpenQuestions } from "./open-questions.ts";
import type { Ask, UnansweredReason } from "./question.ts";

/** What the caller reads about a question that it need not answer any more. */
const WITHDRAWN_TEXT = {
  late: "The time to answer is over.",
  withdrawn: "The answer is not needed any more.",
} as const satisfies Record<Exclude<UnansweredReason, "left">, string>;

/** Asks callers of the older era: on the stream of their call, where they answer with a message of its own. */
export function askOnStream(questions: Pick<OpenQuestions, "open">): Ask {
  return async (call, { method, params, signal }) => {
    const { caller, session, origin } = call;
    if (caller === undefined || session === undefined || origin.canAsk !== true) {
      return refusedRequest("The client reads no stream of events, so it cannot be asked.");
    }
    const question = questions.open({ caller: caller.id, session: session.nonce });
    if (question === undefined) return unansweredRequest("Too many questions wait for an answer.");
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(question.id)},"method":${JSON.stringify(method)},"params":`;
    if (origin.ask?.(Buffer.concat([Buffer.from(head), params, QUESTION_END])) !== true) {
      question.close();
      return unansweredRequest("The client could not be asked.");
    }
    const withdraw = () => {
      question.close();
      const reason = signal.reason as UnansweredReason;
      if (reason !== "left") origin.notify(cancelledMessage(question.id, WITHDRAWN_TEXT[reason]));
    };
    signal.addEventListener("abort", withdraw, { once: true });
    return question.answer;
  };
}

const QUESTION_END = Buffer.from("}");

function cancelledMessage(requestId: string, reason: string): Buffer {
  const params = { requestId, reason };
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
}

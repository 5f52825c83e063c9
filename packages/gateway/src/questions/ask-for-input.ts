import type { Fault } from "@recourse/core";
import { core, protocol, sampling } from "@recourse/core/reasons";
import { hasInputRequired, parseJson } from "@recourse/core/wire";
import type { Call, Step, UpstreamRoute } from "../call/call.ts";
import { skipSpace, valuesOf } from "../call/json-bytes.ts";
import { withSpans } from "../call/json-edit.ts";
import type { ServerAnswer } from "../call/server-request.ts";
import { findInputRequests, type InputRequest, type InputRequests } from "../judge/input-requests.ts";
import { type AskCallerParts, CallerQuestions } from "./ask-caller.ts";

export interface AskForInputOptions {
  readonly ask: AskCallerParts;
  /** Sends the call to its upstream again, with the answers. */
  readonly attempt: Step;
  readonly judge: Step;
}

/** How often an upstream may ask in one call. */
const MAX_INPUT_ROUNDS = 5;

/**
 * Serves callers that do not know results which ask for input: what is in such a result is asked on the stream of the call,
 * and the upstream gets the answers in another attempt. The call keeps its key and its approval all the time.
 */
export function askForInput(options: AskForInputOptions): Step {
  return (call) => {
    if (!call.asksForInput || hasInputRequired(call.revision) || call.route?.kind !== "upstream") return undefined;
    return askInRounds(call, call.route, options);
  };
}

async function askInRounds(call: Call, route: UpstreamRoute, options: AskForInputOptions): Promise<Fault | undefined> {
  const questions = new CallerQuestions(call, route.upstream.options, options.ask);
  while (call.asksForInput) {
    const asked = call.answer && findInputRequests(call.answer);
    // From here on the call is over, unless the next attempt says otherwise.
    call.asksForInput = false;
    call.answer = undefined;
    const isLast = call.inputRounds >= MAX_INPUT_ROUNDS;
    const fault =
      asked === undefined || isLast ? refuseRound(call, route, { isLast }) : await fill(call, asked, questions);
    if (fault !== undefined) return fault;
    call.inputRounds += 1;
    const unsent = await options.attempt(call);
    if (unsent !== undefined) return unsent;
    restoreId(call);
    const failed = await options.judge(call);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

/** The id of an attempt, as JSON. The protocol wants another one for each round. */
export function attemptId({ id, inputRounds }: Pick<Call, "id" | "inputRounds">): string | undefined {
  return id === undefined || inputRounds === 0 ? id : JSON.stringify(`${id} ${inputRounds}`);
}

/** Gives the answer to a later attempt the id of the call. One with any other id stays what it is, and is no answer. */
function restoreId(call: Call): void {
  const { reply, id } = call;
  const sent = attemptId(call);
  if (reply?.kind !== "answer" || id === undefined || sent === undefined) return;
  const [span, ...more] = valuesOf(reply.body, skipSpace(reply.body, 0), "id");
  if (span === undefined || more.length > 0) return;
  const isOurs = parseJson(reply.body.toString("utf8", span.start, span.end)) === JSON.parse(sent);
  if (isOurs) call.reply = { ...reply, body: withSpans(reply.body, [span], id) };
}

/** The upstream cannot be answered. What it says is to blame, and the call has not run to its end. */
function refuseRound(call: Call, { upstream }: UpstreamRoute, { isLast }: { readonly isLast: boolean }): Fault {
  const origin = { layer: "upstream", name: upstream.options.name } as const;
  const reason = isLast ? protocol.rounds_exceeded : protocol.invalid_result;
  const fault = reason.fault({}, { basis: "mapped", effect: "none", origin });
  // A caller that answers wrongly is asked again: that must not look like a failure that concerns other callers.
  if (!isLast) call.judged = fault;
  return fault;
}

/** Asks all questions of a result at once, and makes a round of the answers. A fault if the call cannot continue. */
async function fill(
  call: Call,
  { requests, state }: InputRequests,
  questions: CallerQuestions,
): Promise<Fault | undefined> {
  call.round = { state, responses: undefined };
  // An upstream may only want to be asked again, for example since it is busy.
  if (requests.length === 0) return undefined;
  const { origin, cancellation, binding } = call;
  const isKept = binding?.key !== undefined;
  if (cancellation !== undefined) {
    cancellation.isOver = false;
    cancellation.run = () => (isKept ? questions.leave() : origin.abort?.());
  }
  const answers = await Promise.all(requests.map((request) => questions.ask(request, NEVER_WITHDRAWN)));
  // Nothing is done for a caller that has left, unless it may come back for the outcome.
  if (origin.signal.aborted && !isKept) return core.cancelled.fault({}, { effect: "none" });
  const members: Buffer[] = [];
  for (const [at, request] of requests.entries()) {
    const answer = inputResponseFor(request, answers[at]);
    if (!Buffer.isBuffer(answer)) return answer;
    members.push(Buffer.from(`${at === 0 ? "{" : ","}${JSON.stringify(request.name)}:`), answer);
  }
  call.round = { state, responses: Buffer.concat([...members, Buffer.from("}")]) };
  return undefined;
}

const NEVER_WITHDRAWN = new AbortController().signal;
const CANCELLED = Buffer.from('{"action":"cancel"}');

/**
 * An answer as the upstream gets it. A caller that does not answer a form has cancelled it; without the other answers
 * the call cannot continue.
 */
function inputResponseFor({ method }: InputRequest, answer: ServerAnswer | undefined): Buffer | Fault {
  if (answer !== undefined && "result" in answer) return answer.result;
  switch (method) {
    case "elicitation/create":
      return CANCELLED;
    case "sampling/createMessage":
      return sampling.failed.fault({}, { effect: "none" });
    default:
      return core.precondition_failed.fault({}, { effect: "none" });
  }
}

import { paramsIn } from "../support/params-call.ts";
import { answerWith, OK, type StubAnswer, startStubUpstream } from "../support/stub-upstream.ts";

/** The question of the upstream. */
const QUESTION = '{"method":"elicitation/create","params":{"mode":"form","message":"Which city?"}}';

/** The tools of an upstream that asks before it does something. */
const TOOLS = ["pay", "other"];

/** Options of an upstream that asks. */
export interface AskingOptions {
  /** What the upstream calls its round, as JSON; undefined where it has no name for it. @default `"step é\"1"` */
  readonly state?: string | undefined;
  /** Further members of each result that asks, as JSON with a comma behind: `"a":1,`. */
  readonly more?: string;
}

export const STATE = 'step é"1';

/** Starts an upstream that asks for a city, and is done once it has been told one. */
export function startAskingUpstream(options: AskingOptions = {}) {
  const state = "state" in options ? options.state : JSON.stringify(STATE);
  const stated = state === undefined ? "" : `,"requestState":${state}`;
  const asks = answerWith(
    `{${options.more ?? ""}"resultType":"input_required","inputRequests":{"city":${QUESTION}}${stated}}`,
  );
  const answer: StubAnswer = (request, response) => {
    const { inputResponses } = paramsIn(request.text);
    const isTold = Object.hasOwn((inputResponses ?? {}) as object, "city");
    return (isTold ? answerWith(OK) : asks)(request, response);
  };
  return startStubUpstream(answer, TOOLS);
}

// What reads and answers failures. A guarded server loads it at the first one.

import type { GuardedCode } from "../reasons/thrown/frames.ts";
import type { GuardOptions } from "./options.ts";
import { EDGE_REQUEST } from "./replies/dialect-choice.ts";
import { describeAnswer, describedReply, writeEdgeError } from "./replies/write-reply.ts";
import { Reporter } from "./reporter.ts";

export { incidentCause } from "../incidents/describe-cause.ts";
export { redactedError } from "../incidents/redacted-error.ts";
export { convertThrown, toFault } from "../reasons/thrown/to-fault.ts";
export { checkArguments } from "../schema/issues.ts";
export { failureTable, withCodes } from "./calls/declared-codes.ts";
export { answerFailedHere, answerFunction, answerThrownCall } from "./calls/failed-call.ts";
export { meaningOfOwn, refusedInputFailure, refusesName } from "./calls/refusals.ts";
export { answerReturned, answerSentence } from "./calls/returned-failure.ts";
export { errorRefusal, respond } from "./http/respond.ts";
export { rewrite } from "./http/rewrite.ts";
export { faultOfRpcError } from "./release.ts";
export { describeCode, writeReply } from "./replies/write-reply.ts";
export { methodFailure } from "./requests/map-sdk-error.ts";

/** The reporter of a guarded server, or of a guarded function. `version` is the negotiated version of the protocol. */
export function serverReporter(
  options: GuardOptions,
  guarded: GuardedCode,
  version: () => string | undefined = () => undefined,
): Reporter {
  return new Reporter(options, (fault, place) => describedReply(fault, place, options, version()), guarded);
}

/** The reporter for messages that reach no handler. */
export function edgeReporter(options: GuardOptions): Reporter {
  return new Reporter(options, (fault) => {
    const wire = { error: writeEdgeError(fault, options) };
    return { wire, facts: describeAnswer(fault, wire, options.dialect, EDGE_REQUEST) };
  });
}

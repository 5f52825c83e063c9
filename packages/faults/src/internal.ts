// For the other packages of Recourse only. These names are not public and change without notice.

export { ABORTED, type Raced, race, type Sleep, TIMED_OUT } from "./async/race.ts";
export { type LimitedWork, runLimited } from "./async/run-limited.ts";
export type { ReadContext } from "./client/read/context.ts";
export { readFailure } from "./client/read/read-failure.ts";
export { type HttpFailure, readHttpFailure } from "./client/read/read-http.ts";
export { type DetectedFault, detectInBody, mayBeFailure } from "./dialects/detect.ts";
export { REQUEST_ID_HEADERS } from "./dialects/http/request-id.ts";
export { type FailureSign, failureSign } from "./dialects/looks-failed.ts";
export { decodeEmbeddedFault } from "./dialects/mcp/decode.ts";
export {
  FIXED_STATUS,
  LATEST_REVISION,
  mcpCodeFor,
  parseRevision,
  REVISIONS,
  type Revision,
  VERSION_KEY,
} from "./dialects/mcp/table.ts";
export { classNameOf, peek, peekString } from "./errors/peek.ts";
export { systemFaultOf } from "./errors/system-codes.ts";
export type { SystemFailure } from "./errors/system-fault.ts";
export { amendFault, worseEffect } from "./fault/amend.ts";
export { isEffectAssumed } from "./fault/assumed-effect.ts";
export { MAX as FAULT_LIMITS } from "./fault/fault.ts";
export { DOMAIN_NAME, REASON_NAME } from "./fault/grammar.ts";
export { fromPointer, toPointer, unescapeToken } from "./fault/pointer.ts";
export { CHOSEN, provenanceOf } from "./fault/provenance.ts";
export { type CleanOptions, cleanText } from "./incidents/clean-text.ts";
export { deliver } from "./incidents/incident.ts";
export { causeOf, readThrown, type ThrownError } from "./incidents/read-thrown.ts";
export { timeOfId } from "./json/id-form.ts";
export { APPROVAL_KEY, CALL_KEY, FAULT_KEY, FAULTS_EXTENSION } from "./json/names.ts";
export {
  arrayAt,
  booleanAt,
  entriesOf,
  isObject,
  type JsonObject,
  memberAt,
  objectAt,
  parseJson,
  stringAt,
} from "./json/read.ts";
export { randomBytes } from "./platform/random.ts";
export { MAX_TIMER_MS, sleep } from "./platform/sleep.ts";
export { composeAgain, LIBRARY, libraryReason } from "./reasons/library/by-id.ts";
export { ADAPTER_IDENTIFIER, adapterErrorFault } from "./reasons/thrown/adapter-error.ts";
export {
  BOTH_WORK,
  type BreakerRules,
  type BreakerSignal,
  type BreakerSignals,
  type BreakerState,
  breakerSignals,
  CLOSED,
  type Heard,
  heardOf,
  isFullWait,
  LostCalls,
  recordSignal,
  SHOWS_NOTHING,
  toBreakerRules,
} from "./retry/breaker.ts";
export { callerTextsOf } from "./safety/caller-texts.ts";
export { CUT } from "./safety/cut-found.ts";
export { limitFilters, MAX_FILTER_WORK } from "./safety/filter-work.ts";
export { decodeHtml, textsIn } from "./safety/layers.ts";
export { INVISIBLE, toLine } from "./safety/line.ts";
export { readText } from "./safety/read-text.ts";
export { redactJson, relayBody } from "./safety/redact-json.ts";
export { PATTERN_RULES } from "./safety/rules/all-rules.ts";
export { isPlaceholder } from "./safety/rules/placeholder.ts";
export { type PatternRule, RULE_GROUPS } from "./safety/rules/rule.ts";
export { looksSecret } from "./safety/rules/values.ts";
export { joinSecrets, MIN_SECRET_LENGTH } from "./safety/secrets.ts";
export { checkArguments, glanceAtArguments } from "./schema/issues.ts";
export { isCheapPattern, patternCost } from "./schema/pattern-cost.ts";
export {
  callerDeadlineOf,
  deadlineIn,
  headersOf,
  idempotencyKeyIn,
  idempotencyKeyOf,
  metaOf,
  type RequestHeaders,
  signalOf,
} from "./sdk/context.ts";
export { credentialFilter, credentialParts, isCredentialHeader } from "./sdk/credentials.ts";
export { keptFault, readOutcome, writeOutcome } from "./server/calls/outcome.ts";
export { markRelayed } from "./server/calls/returned-failure.ts";
export { callerTextsFor, sentWith } from "./server/calls/sent-by-caller.ts";
export { encodingFault } from "./server/encoding-fault.ts";
export { prefersProblem } from "./server/http/accept.ts";
export { type Challenge, challengeFor } from "./server/http/challenge.ts";
export {
  hostTest,
  isLoopbackAddress,
  isLoopbackName,
  isLoopbackOrigin,
  originTest,
  readHost,
  staysLocal,
} from "./server/http/host.ts";
export { MessageOutline } from "./server/http/message-outline.ts";
export { type Received, requestedVersion, revisionFor } from "./server/http/received.ts";
export { headerIssues, paramIssues } from "./server/http/request-issues.ts";
export { edgeStatus } from "./server/http/respond.ts";
export { type Caller, callerRuleOf, identifyCaller, refusalOf } from "./server/idempotency/caller.ts";
export { messageIssues, readableId } from "./server/message.ts";
export { releaseFault } from "./server/release.ts";
export { answerFacts, writeEdgeError, writeInDialect } from "./server/replies/dialect-choice.ts";
export { writeReply } from "./server/replies/reply.ts";
export { uriFault } from "./server/requests/uri-fault.ts";
export { shapeFault } from "./server/requests/validate-request.ts";
export { rememberSent } from "./server/sent-faults.ts";

// For the other packages of Recourse only. These names are not public and change without notice.

export { ABORTED, type Raced, race, type Sleep, TIMED_OUT } from "./async/race.ts";
export { type LimitedWork, runLimited } from "./async/run-limited.ts";
export { REQUEST_ID_HEADERS } from "./dialects/http/request-id.ts";
export { type FailureSign, failureSign } from "./dialects/looks-failed.ts";
export { systemFaultOf } from "./errors/system-codes.ts";
export type { SystemFailure } from "./errors/system-fault.ts";
export { amendFault, worseEffect } from "./fault/amend.ts";
export { MAX as FAULT_LIMITS } from "./fault/fault.ts";
export { DOMAIN_NAME, REASON_NAME } from "./fault/grammar.ts";
export { fromPointer, toPointer, unescapeToken } from "./fault/pointer.ts";
export { CHOSEN } from "./fault/provenance.ts";
export { deliver } from "./incidents/incident.ts";
export { FAULT_KEY } from "./json/names.ts";
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
export { LIBRARY, libraryReason } from "./reasons/library/by-id.ts";
export { callerTextsOf } from "./safety/caller-texts.ts";
export { textsIn } from "./safety/layers.ts";
export { INVISIBLE } from "./safety/line.ts";
export { readText } from "./safety/read-text.ts";
export { redactJson, relayBody } from "./safety/redact-json.ts";
export { joinSecrets, MIN_SECRET_LENGTH } from "./safety/secrets.ts";
export { isCheapPattern } from "./schema/pattern-cost.ts";
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
export { credentialFilter } from "./sdk/credentials.ts";
export { type Caller, callerRuleOf, identifyCaller, refusalOf } from "./server/idempotency/caller.ts";
export { rememberSent } from "./server/sent-faults.ts";

// The names of this package, in the order of its story: what a message is, how it travels, how long to wait for it.

export { ByteCollector, concatBytes } from "./bytes.ts";
export { checkNumber, checkNumbers, type NumberRange } from "./check-number.ts";
export { type Clock, type Random, systemClock, type TestingOptions, toClock, toRandom } from "./clock.ts";
export { allowedOriginFor, type CallingPage, isPreflight, pageHeaders, preflightHeaders } from "./cors.ts";
export {
  basicAuthorization,
  encodeHeaderValue,
  headerIssues,
  metaIn,
  paramIssues,
  prefersProblem,
  type Received,
  requestedVersion,
  revisionFor,
} from "./headers.ts";
export {
  type Host,
  hostTest,
  isLoopbackAddress,
  isLoopbackName,
  isLoopbackOrigin,
  isSentLocally,
  originTest,
  parseHost,
  readHost,
  staysLocal,
} from "./host.ts";
export { createIdBytes, formatId, ID, ID_ALPHABET, idGenerator, randomBytes, readId, timeOfId } from "./ids.ts";
export {
  arrayAt,
  booleanAt,
  canonical,
  canonicalWithin,
  entriesOf,
  fromPointer,
  integerAt,
  isObject,
  type JsonObject,
  memberAt,
  numberAt,
  objectAt,
  parseJson,
  stringAt,
  toPointer,
  unescapeToken,
} from "./json.ts";
export {
  BACKSLASH,
  CLOSE_OBJECT,
  COMMA,
  eachMember,
  elementsOf,
  isTextAt,
  MessageOutline,
  membersOf,
  OPEN_OBJECT,
  QUOTE,
  type Span,
  skipSpace,
  skipValue,
  TOO_DEEP,
  valuesOf,
} from "./json-bytes.ts";
export { isTooDeep, JsonScanner, MAX_MESSAGE_DEPTH, type MemberSpan } from "./json-scanner.ts";
export { LineReader, type LineReaderOptions, type ReadLinesOptions, readLines, type StreamLine } from "./lines.ts";
export { type MessageIssue, messageIssues, readableId } from "./message.ts";
export {
  APPROVAL_KEY,
  CALL_KEY,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  CODES_KEY,
  DECLARES_KEY,
  FAULT_KEY,
  FAULTS_EXTENSION,
  LOG_LEVEL_KEY,
  NAMESPACE,
  RELATED_TASK_KEY,
  SERVER_INFO_KEY,
  SUBSCRIPTION_ID_KEY,
  TASKS_EXTENSION,
  VERSION_KEY,
} from "./names.ts";
export {
  FIXED_STATUS,
  HANDSHAKE_VERSIONS,
  hasHandshake,
  hasInputErrorRule,
  hasInputRequired,
  hasListen,
  hasMessageHeaders,
  hasOutputSchemas,
  hasRequestMeta,
  hasResultTypes,
  hasUnknownToolRule,
  JSON_RPC_CODES,
  LATEST_HANDSHAKE_REVISION,
  LATEST_REVISION,
  LEGAL_CODES,
  NEWEST_REVISIONS,
  parseRevision,
  REVISIONS,
  type Revision,
  reservesCodes,
} from "./revisions.ts";
export { type SseEvent, SseReader, type SseReaderOptions } from "./sse.ts";
export { UNSEEN_CHARACTERS } from "./unseen.ts";
export {
  ABORTED,
  type LimitedWork,
  MAX_TIMER_MS,
  type Raced,
  type RaceLimits,
  race,
  runLimited,
  type Sleep,
  sleep,
  TIMED_OUT,
} from "./waiting.ts";

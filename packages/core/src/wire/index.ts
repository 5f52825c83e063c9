// The names of this package, in the order of its story: what a message is, how it travels, how long to wait for it.

export {
  BACKSLASH,
  ByteCollector,
  CARRIAGE_RETURN,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from "./bytes.ts";
export { checkNumber, checkNumbers, type NumberRange } from "./check-number.ts";
export { type Clock, type TestingOptions, toClock, toRandom } from "./clock.ts";
export {
  basicAuthorization,
  encodeHeaderValue,
  headerIssues,
  paramIssues,
  prefersProblem,
  type Received,
  requestedVersion,
  revisionFor,
} from "./headers.ts";
export {
  hostTest,
  isLoopbackAddress,
  isLoopbackName,
  isLoopbackOrigin,
  isSentLocally,
  originTest,
  parseHost,
  readHost,
} from "./host.ts";
export { formatId, ID, randomBytes, readId, timeOfId } from "./ids.ts";
export {
  arrayAt,
  booleanAt,
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
export { LineReader, readLines } from "./lines.ts";
export { messageIssues, readableId } from "./message.ts";
export { MessageOutline } from "./message-outline.ts";
export {
  APPROVAL_KEY,
  CALL_KEY,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
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
export { NewestMap } from "./newest-map.ts";
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
  LATEST_HANDSHAKE_REVISION,
  LATEST_REVISION,
  NEWEST_REVISIONS,
  parseRevision,
  REVISIONS,
  type Revision,
  reservesCodes,
} from "./revisions.ts";
export { SseReader } from "./sse.ts";
export { UNSEEN_CHARACTERS } from "./unseen.ts";
export { ABORTED, MAX_TIMER_MS, race, runLimited, type Sleep, sleep, TIMED_OUT } from "./waiting.ts";

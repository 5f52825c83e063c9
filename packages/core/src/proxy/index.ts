// For programs that stand between a client and a server: gateways, bridges, adapters. They read what one side sent, and
// answer the other.

export type { AttemptContext } from "../client/read-reply.ts";
export { readAttemptFailure, readHttpFailure } from "../client/read-reply.ts";
export { failureSign, mayBeFailure } from "../dialects/envelope.ts";
export { decodeEmbeddedFault, mcpHttpStatus } from "../dialects/mcp/dialect.ts";
export { peekString, readClassName } from "../errors/peek.ts";
export { toSentFault } from "../fault/amend.ts";
export { RELEASED, readProvenance } from "../fault/provenance.ts";
export type { ThrownError } from "../incidents/describe-cause.ts";
export { incidentCause, readThrown } from "../incidents/describe-cause.ts";
export { deliverIncident } from "../incidents/incident.ts";
export { REQUEST_ID_HEADERS } from "../reasons/http/reply.ts";
export { recomposeFault } from "../reasons/library/by-id.ts";
export { ADAPTER_ERROR_BRAND, ADAPTER_IDENTIFIER, adapterErrorFault } from "../reasons/thrown/adapter-errors.ts";
export {
  callDeadline,
  callIdempotencyKey,
  credentialFilter,
  credentialParts,
  isCredentialHeader,
  requestHeaders,
  requestMeta,
  requestSignal,
} from "../sdk/context.ts";
export { edgeStatus, writeChallenge } from "../server/http/respond.ts";
export type { CallerIdentity } from "../server/idempotency/caller.ts";
export { callerRefusal, callerRule, identifyCaller } from "../server/idempotency/caller.ts";
export { faultToKeep, readCallOutcome, writeCallOutcome } from "../server/idempotency/run-once.ts";
export { callerTextsFor, releaseFault, rememberSent } from "../server/release.ts";
export { markRelayed } from "../server/replies/reply.ts";
export { describeAnswer, writeEdgeError, writeReply } from "../server/replies/write-reply.ts";
export { callerInput, encodingFault, paramsFault, uriFault } from "../server/requests/validate-request.ts";

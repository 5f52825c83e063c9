import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import * as client from "./client/index.ts";
import * as dialects from "./dialects/index.ts";
import * as explain from "./explain/index.ts";
import * as root from "./index.ts";
import * as proxy from "./proxy/index.ts";
import * as retry from "./retry/index.ts";
import * as safety from "./safety/index.ts";
import * as schema from "./schema/index.ts";
import * as server from "./server/index.ts";
import * as telemetry from "./telemetry/index.ts";

// These lists are the public interface. A change here changes what users rely on.

test("the package has these entry points", () => {
  expect(Object.keys(manifest.exports)).toEqual([
    ".",
    "./client",
    "./dialects",
    "./explain",
    "./proxy",
    "./retry",
    "./safety",
    "./schema",
    "./server",
    "./telemetry",
    "./schema.json",
    "./package.json",
  ]);
  expect(manifest.dependencies).toEqual({ "@recourse/wire": manifest.version });
});

test("the root exports these names", () => {
  expect(Object.keys(root).sort()).toEqual([
    "AUTHORS",
    "BACKOFFS",
    "BASES",
    "DOMAIN_NAME",
    "EFFECTS",
    "FAULT_LIMITS",
    "FaultError",
    "ISSUE_CODES",
    "ISSUE_RULES",
    "KINDS",
    "LAYERS",
    "LIBRARY_REASONS",
    "MIN_SECRET_LENGTH",
    "MOVES",
    "REASON_NAME",
    "STOPS",
    "adapter",
    "amendFault",
    "auth",
    "classOf",
    "completion",
    "content",
    "core",
    "createSecretFilter",
    "defineReason",
    "defineReasons",
    "elicitation",
    "fail",
    "formatId",
    "idempotency",
    "installTextFilter",
    "isEffectAssumed",
    "isFault",
    "knownKind",
    "libraryReason",
    "nearestNames",
    "notification",
    "pagination",
    "progress",
    "prompt",
    "protocol",
    "readFault",
    "readSystemFault",
    "redactSecrets",
    "redactionCounts",
    "registerSecrets",
    "render",
    "resource",
    "rest",
    "sampling",
    "shouldReport",
    "slot",
    "stampFault",
    "task",
    "toFault",
    "tool",
    "transport",
    "unknownKeyIssue",
  ]);
});

test("slots are these", () => {
  expect(Object.keys(root.slot).sort()).toEqual([
    "boolean",
    "date",
    "duration",
    "id",
    "integer",
    "list",
    "media",
    "method",
    "number",
    "oneOf",
    "optional",
    "pattern",
    "pointer",
    "text",
    "uri",
    "uuid",
  ]);
});

test("client exports these names", () => {
  expect(Object.keys(client).sort()).toEqual([
    "agentTools",
    "aiTools",
    "callWithRetry",
    "connectFault",
    "observeTransport",
    "recourse",
  ]);
});

test("retry exports these names", () => {
  expect(Object.keys(retry).sort()).toEqual([
    "CLOSED_BREAKER",
    "LostCalls",
    "NO_SIGNALS",
    "SUCCESS_SIGNALS",
    "breakerSignals",
    "createLoopGuard",
    "createRetryEngine",
    "decide",
    "fingerprint",
    "isFullWait",
    "readAttemptResponse",
    "recordSignal",
    "requestPermit",
    "toBreakerRules",
  ]);
});

test("safety exports these names", () => {
  expect(Object.keys(safety).sort()).toEqual([
    "CUT_MARK",
    "CUT_RULES",
    "INVISIBLE_CHARACTERS",
    "MAX_READ_CHARACTERS",
    "RULE_GROUPS",
    "cleanLogText",
    "containsSecret",
    "cutText",
    "decodeHtmlEntities",
    "findTextRuns",
    "isPlaceholder",
    "joinSecretFilters",
    "limitReading",
    "looksSecret",
    "readCallerTexts",
    "readText",
    "redactJson",
    "relayBody",
    "showLine",
    "toLine",
  ]);
});

test("schema exports these names", () => {
  expect(Object.keys(schema).sort()).toEqual(["checkArguments", "glanceAtArguments", "isCheapPattern", "patternCost"]);
});

test("proxy exports these names", () => {
  expect(Object.keys(proxy).sort()).toEqual([
    "ADAPTER_ERROR_BRAND",
    "ADAPTER_IDENTIFIER",
    "RELEASED",
    "REQUEST_ID_HEADERS",
    "adapterErrorFault",
    "callDeadline",
    "callIdempotencyKey",
    "callerInput",
    "callerRefusal",
    "callerRule",
    "callerTextsFor",
    "credentialFilter",
    "credentialParts",
    "decodeEmbeddedFault",
    "deliverIncident",
    "describeAnswer",
    "edgeStatus",
    "encodingFault",
    "failureSign",
    "faultToKeep",
    "identifyCaller",
    "incidentCause",
    "isCredentialHeader",
    "markRelayed",
    "mayBeFailure",
    "mcpHttpStatus",
    "paramsFault",
    "peekString",
    "readAttemptFailure",
    "readCallOutcome",
    "readClassName",
    "readHttpFailure",
    "readProvenance",
    "readThrown",
    "recomposeFault",
    "releaseFault",
    "rememberSent",
    "requestHeaders",
    "requestMeta",
    "requestSignal",
    "toSentFault",
    "uriFault",
    "writeCallOutcome",
    "writeChallenge",
    "writeEdgeError",
    "writeReply",
  ]);
});

test("dialects exports these names", () => {
  expect(Object.keys(dialects).sort()).toEqual([
    "DIALECTS",
    "closient",
    "defineDialect",
    "detect",
    "erlmcp",
    "fastmcp",
    "http",
    "mcp",
    "onx",
    "platica",
    "qaqnuz",
    "sdk",
    "text",
  ]);
});

test("explain exports these names", () => {
  expect(Object.keys(explain).sort()).toEqual([
    "CONNECTION_CAUSES",
    "CONNECTION_CAUSE_IDS",
    "CONVERSATION_CAUSES",
    "HTTP_CAUSES",
    "KIND_DOCS",
    "PROGRAM_CAUSES",
    "RETIRED",
    "SEVERITIES",
    "SYSTEMS",
    "SYSTEM_NAMES",
    "catalogue",
    "explain",
    "explainBriefly",
    "findConnectionCause",
    "findFailureForm",
    "findLeakedParts",
    "groupFailures",
    "leakIn",
    "meaningsOf",
    "rangeOf",
    "readFailure",
    "readLogEntries",
    "readLogValue",
    "sayRepeat",
  ]);
});

test("server exports these names", () => {
  expect(Object.keys(server).sort()).toEqual([
    "checkArguments",
    "combineSinks",
    "declares",
    "edgeErrorHandler",
    "failureTable",
    "guard",
    "guardHandler",
    "guardStats",
    "guardStdin",
    "guardStdout",
    "guardTool",
    "isGuarded",
    "loggerSink",
    "memoryIdempotency",
    "redactedError",
    "sinkFailures",
    "stderrSink",
    "toNodeListener",
  ]);
});

test("telemetry exports these names", () => {
  expect(Object.keys(telemetry).sort()).toEqual(["faultAttributes", "metricAttributes", "openTelemetry", "otelSink"]);
});

import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import * as client from "./client/index.ts";
import * as dialects from "./dialects/index.ts";
import * as explain from "./explain/index.ts";
import * as root from "./index.ts";
import * as retry from "./retry/index.ts";
import * as server from "./server/index.ts";
import * as telemetry from "./telemetry/index.ts";
import * as testing from "./testing/index.ts";
import * as peer from "./testing/peer/index.ts";

// These lists are the public interface. A change here changes what users rely on.

test("the package has these entry points", () => {
  expect(Object.keys(manifest.exports)).toEqual([
    ".",
    "./client",
    "./dialects",
    "./explain",
    "./retry",
    "./server",
    "./telemetry",
    "./testing",
    "./testing/peer",
    "./internal-do-not-use",
    "./schema.json",
    "./package.json",
  ]);
  expect(manifest).not.toHaveProperty("dependencies");
});

test("the root exports these names", () => {
  expect(Object.keys(root).sort()).toEqual([
    "FOREIGN_TEXT",
    "FaultError",
    "KINDS",
    "adapter",
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
    "isFault",
    "knownKind",
    "nearestNames",
    "notification",
    "pagination",
    "progress",
    "prompt",
    "protocol",
    "readFault",
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
  expect(Object.keys(retry).sort()).toEqual(["createLoopGuard", "createRetryEngine", "decide", "fingerprint"]);
});

test("dialects exports these names", () => {
  expect(Object.keys(dialects).sort()).toEqual([
    "checkPublishedCodes",
    "closient",
    "defineDialect",
    "detect",
    "erlmcp",
    "extendDialect",
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
    "KIND_DOCS",
    "RETIRED",
    "SEVERITIES",
    "SYSTEMS",
    "SYSTEM_NAMES",
    "catalogue",
    "explain",
    "meaningsOf",
    "rangeOf",
  ]);
});

test("server exports these names", () => {
  expect(Object.keys(server).sort()).toEqual([
    "alertSink",
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

test("testing exports these names", () => {
  expect(Object.keys(testing).sort()).toEqual([
    "benign",
    "dialectLaws",
    "expectNoLeak",
    "findLeaks",
    "generators",
    "idempotencyStoreLaws",
    "leaks",
  ]);
});

test("the misbehaving peer exports these names", () => {
  expect(Object.keys(peer).sort()).toEqual([
    "CAUSES",
    "MISBEHAVE_HEADER",
    "MISBEHAVE_KEY",
    "MISBEHAVIOURS",
    "PEER_OPTIONS",
    "SECRET",
    "STDIO_MISBEHAVIOURS",
    "createRawClient",
    "misbehave",
    "misbehaveStdio",
    "provoke",
    "readPeerOptions",
    "serveThisProcess",
  ]);
});

import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import * as client from "./client.ts";
import * as dialects from "./dialects.ts";
import * as root from "./index.ts";
import * as reasons from "./reasons.ts";
import * as server from "./server.ts";
import * as telemetry from "./telemetry.ts";

// These lists are the public interface. A change here changes what users rely on.

const DOORS = {
  ".": [
    ...["FaultError", "KINDS", "classOf", "createSecretFilter", "defineReason", "defineReasons", "fail", "knownKind"],
    ...["readFault", "registerSecrets", "render", "shouldReport", "slot"],
  ],
  "./client": ["agentTools", "aiTools", "callWithRetry", "connectFault", "observeTransport", "recourse"],
  "./dialects": ["defineDialect", "detect", "fastmcp", "http", "mcp", "sdk", "text"],
  "./reasons": [
    ...["adapter", "auth", "completion", "content", "core", "elicitation", "idempotency", "notification", "pagination"],
    ...["progress", "prompt", "protocol", "resource", "rest", "sampling", "task", "tool", "transport"],
  ],
  "./server": [
    ...["checkArguments", "combineSinks", "declares", "edgeErrorHandler", "failureTable", "formatId", "guard"],
    ...[
      "guardHandler",
      "guardStats",
      "guardStdin",
      "guardStdout",
      "guardTool",
      "isGuarded",
      "loggerSink",
      "memoryIdempotency",
      "redactedError",
      "stampFault",
    ],
    ...["stderrSink", "toFault", "toNodeListener"],
  ],
  "./telemetry": ["faultAttributes", "openTelemetry", "otelSink"],
};

test("the package has these entry points, and needs only the core of its own version", () => {
  expect(Object.keys(manifest.exports)).toEqual([...Object.keys(DOORS), "./schema.json", "./package.json"]);
  expect(manifest.dependencies).toEqual({ "@recourse/core": manifest.version });
});

test("each entry point exports these names", () => {
  const modules = {
    ".": root,
    "./client": client,
    "./dialects": dialects,
    "./reasons": reasons,
    "./server": server,
    "./telemetry": telemetry,
  };
  for (const [door, names] of Object.entries(DOORS))
    expect(Object.keys(modules[door as keyof typeof modules]).toSorted(), door).toEqual(names);
});

test("at most fifty values are public, reasons apart", () => {
  const { "./reasons": _, ...others } = DOORS;
  expect(Object.values(others).flat().length).toBeLessThanOrEqual(50);
});

test("slots are these", () => {
  expect(Object.keys(root.slot).toSorted()).toEqual([
    ...["boolean", "date", "duration", "id", "integer", "list", "media", "method", "number", "oneOf", "optional"],
    ...["pattern", "pointer", "text", "uri", "uuid"],
  ]);
});

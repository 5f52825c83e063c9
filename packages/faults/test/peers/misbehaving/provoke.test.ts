import { detect, erlmcp } from "@recourse/faults/dialects";
import { CAUSES, type Cause, misbehave, provoke } from "@recourse/testing/peer";
import { expect, test } from "vitest";
import { ERLMCP_ROWS, type ErlmcpRow } from "../../../src/dialects/erlmcp/table.ts";

const NOW = Date.parse("2026-01-01T00:00:00.000Z");

/** The data of each error on the wire, by its code. */
const DATA: Readonly<Record<number, unknown>> = {
  [-32700]: "The message is not valid JSON.",
  [-32600]: "Missing required field: method",
  [-32601]: { method: "nonexistent/method" },
  [-32602]: { details: "Missing required parameter: uri" },
  [-32001]: { uri: "mcp://nonexistent" },
  [-32002]: { tool: "nonexistent_tool" },
  [-32003]: { prompt: "nonexistent_prompt" },
  [-32004]: { capability: "logging" },
  [-32005]: { phase: "pre_initialization" },
  [-32006]: { uri: "mcp://config", reason: "already_subscribed" },
  [-32007]: { field: "name", constraint: "tool_name" },
  [-32008]: { reason: "connection_reset" },
  [-32009]: { timeout_ms: 30, elapsed_ms: expect.any(Number) },
  [-32010]: { limit: 1, window: 60, retry_after: 60 },
  [-32011]: { actual_length: 15_000, max_length: 10_000 },
  [-32012]: { actual_size: expect.any(Number), max_size: 2_000, unit: "bytes" },
  [-32013]: { content_type: "application/xml" },
  [-32014]: { actual_size: 1_500, max_size: 1_000, unit: "bytes" },
  [-32015]: { encoding: "utf-8", position: 2 },
  [-32021]: { uri_template: "pages://{number}" },
  [-32022]: { uri: "not-a-valid-uri", reason: "missing_scheme" },
  [-32025]: { uri: "mcp://vault", required_permission: "read:protected" },
  [-32029]: { uri_template: "logs://{date}", reason: "missing_variable: date" },
  [-32031]: { tool: "divide", reason: "RangeError" },
  [-32032]: { tool: "sleep", timeout_ms: 30 },
  [-32033]: { tool: "sleep", reason: "user_requested" },
  [-32034]: { tool: "divide", details: "Missing required parameter: b" },
  [-32043]: { prompt: "write_essay", argument: "topic" },
  [-32046]: { reason: "client_refused" },
  [-32051]: { reason: "invalid_token" },
  [-32052]: { operation: "tools/call:reset", required_role: "admin" },
  [-32054]: { expired_at: NOW / 1_000 + 3_600 },
  [-32061]: {
    requested_version: "2020-01-01",
    supported_versions: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"],
  },
  [-32071]: { cursor: "invalid_cursor_string" },
  [-32072]: { cursor: "page-1", ttl_seconds: 300 },
  [-32081]: { taskId: "task-123" },
  [-32083]: { taskId: "task-1", reason: "RangeError" },
  [-32084]: { taskId: "task-1" },
  [-32085]: { taskId: "task-1", timeout_ms: 30 },
  [-32091]: { progressToken: "invalid_token" },
  [-32094]: { notification_type: "resources/updated", reason: "subscriber_not_found" },
  [1095]: { taskId: "task-123" },
};

const provoked = new Set<number>();

test.each(CAUSES.map((cause) => [cause.code, cause.description, cause] as [number, string, Cause]))(
  "%d: %s",
  async (code, _, cause) => {
    await using peer = await misbehave({ dialect: "erlmcp", now: () => NOW, limits: cause.limits ?? {} });
    const reply = await provoke(cause, peer);
    const row = (ERLMCP_ROWS as readonly ErlmcpRow[]).find((one) => one.code === code);
    const data = DATA[code];
    expect(reply["error"]).toEqual({ code, message: row?.message, ...(data !== undefined && { data }) });
    const fault = erlmcp.decode(reply);
    expect(fault).toMatchObject({ reason: cause.reason, kind: row?.reason.kind });
    expect(detect(reply)?.fault.reason).toBe(cause.reason);
    provoked.add((reply["error"] as { code: number }).code);
  },
);

test("every code of the dialect has a cause, and no other code is provoked", () => {
  expect([...provoked].toSorted()).toEqual(ERLMCP_ROWS.map(({ code }) => code).toSorted());
  expect(CAUSES).toHaveLength(ERLMCP_ROWS.length);
});

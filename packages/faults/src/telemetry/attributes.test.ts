import { describe, expect, it } from "vitest";
import { stampFault } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { internal, timeout } from "../reasons/library/core.ts";
import { method_not_found } from "../reasons/library/protocol.ts";
import { not_found } from "../reasons/library/tool.ts";
import { faultAttributes, metricAttributes } from "./attributes.ts";

const incident = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const fault = stampFault(internal.fault(), { incident, origin: { layer: "gateway", name: "edge" } });
const ours = {
  "fault.kind": "internal",
  "fault.class": "terminal",
  "fault.reason": "core/internal",
  "fault.effect": "possible",
  "fault.origin": "gateway",
};

describe("faultAttributes", () => {
  it("has the code of a JSON-RPC error as a string", () => {
    expect(faultAttributes(fault, { method: "resources/read", code: -32603 })).toEqual({
      "error.type": "-32603",
      "mcp.method.name": "resources/read",
      "rpc.response.status_code": "-32603",
      ...ours,
      "fault.incident": incident,
    });
  });

  it("has tool_error for the result of a tool that failed", () => {
    expect(faultAttributes(fault, { method: "tools/call", tool: "add", isError: true })).toEqual({
      "error.type": "tool_error",
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "add",
      ...ours,
      "fault.incident": incident,
    });
  });

  it("has the kind if there was no answer", () => {
    expect(faultAttributes(timeout.fault(), { side: "client" })).toMatchObject({ "error.type": "timeout" });
    expect(faultAttributes(timeout.fault())).not.toHaveProperty("fault.incident");
  });

  it("cuts names that are too long", () => {
    expect(faultAttributes(fault, { tool: "x".repeat(500) })["gen_ai.tool.name"]).toHaveLength(128);
  });
});

describe("metricAttributes", () => {
  it("has no incident", () => {
    expect(metricAttributes(fault, { method: "tools/call", tool: "add", isError: true })).toEqual({
      "error.type": "tool_error",
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "add",
      ...ours,
    });
  });

  it("has no names that callers make up", () => {
    const tool = metricAttributes(not_found.fault({ tool: "x1" }), { method: "tools/call", tool: "x1", code: -32602 });
    expect(tool).not.toHaveProperty("gen_ai.tool.name");
    expect(tool).toMatchObject({ "mcp.method.name": "tools/call", "error.type": "-32602" });
    const method = metricAttributes(method_not_found.fault({ method: "x/1" }), { method: "x/1", code: -32601 });
    expect(method).not.toHaveProperty("mcp.method.name");
  });

  it("has no reasons and kinds that peers make up", () => {
    const odd: Fault = { ...fault, kind: "melted", reason: "peer/r4711" };
    const seen = metricAttributes(odd, { side: "client" });
    expect(seen).toMatchObject({ "fault.kind": "unknown", "error.type": "unknown" });
    expect(seen).not.toHaveProperty("fault.reason");
  });
});

import { describe, expect, it } from "vitest";
import { stampFault } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { internal } from "../reasons/library/core.ts";
import { method_not_found } from "../reasons/library/protocol.ts";
import { not_found } from "../reasons/library/tool.ts";
import { faultAttributes, metricAttributes } from "./attributes.ts";

const incident = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const fault = stampFault(internal.fault(), { incident, origin: { layer: "gateway", name: "edge" } });

describe("faultAttributes", () => {
  it("cuts names that are too long", () => {
    expect(faultAttributes(fault, { tool: "x".repeat(500) })["gen_ai.tool.name"]).toHaveLength(128);
  });
});

describe("metricAttributes", () => {
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

import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { guard, guardCounts } from "@recourse/faults/server";
import { describe, expect, it } from "vitest";
import { declareReasons } from "./reasons.ts";
import { registerTools } from "./register.ts";

const info = { name: "peer", version: "1.0.0" };
const registration = {
  tools: { buy: { description: "Buys.", handler: () => ({}) } },
  reasons: declareReasons("shop", {}),
  run: async () => ({}),
  guardOptions: {},
};

describe("registerTools", () => {
  it.each([
    ["1", () => new McpServerV1(info)],
    ["2", () => new McpServerV2(info)],
  ])("guards a server of SDK %s, unless it is guarded already", (_version, make) => {
    const server: object = make();
    registerTools(server, registration);
    expect(guardCounts(server)).toEqual({ late: 0, looksFailed: 0, undeclared: 0 });
    const guarded: object = guard<object>(make());
    expect(() => registerTools(guarded, registration)).not.toThrow();
  });

  it("does not take two tools of one name", () => {
    const server = new McpServerV2(info);
    registerTools(server, registration);
    expect(() => registerTools(server, registration)).toThrow("buy");
  });

  it("says what it needs when it is given something else", () => {
    expect(() => registerTools({}, registration)).toThrow("an McpServer of SDK 1 or 2");
  });
});

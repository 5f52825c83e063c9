import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { guard, isGuarded } from "@recourse/faults/server";
import { describe, expect, it } from "vitest";
import { declareReasons } from "./failures.ts";
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
    expect(isGuarded(server)).toBe(true);
    const guarded: object = guard<object>(make());
    expect(() => registerTools(guarded, registration)).not.toThrow();
  });

  it("refuses two tools of one name", () => {
    const server = new McpServerV2(info);
    registerTools(server, registration);
    expect(() => registerTools(server, registration)).toThrow("buy");
  });

  it("says what it needs when it gets something else", () => {
    expect(() => registerTools({}, registration)).toThrow("an McpServer of SDK 1 or 2");
  });
});

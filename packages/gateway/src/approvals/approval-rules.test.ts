import { describe, expect, it } from "vitest";
import { createApprovalRules, type RuleFacts } from "./approval-rules.ts";

const CONFIG = { tools: ["shop__refund", "crm__*"], denied: ["shop__drop_*"], expiresMs: 60_000, link: undefined };
const FACTS: RuleFacts = { caller: { id: "a", tenant: "t" }, tool: "shop__refund", arguments: '{"n":1}' };

describe("createApprovalRules", () => {
  it("asks nobody where no rule is configured", () => {
    const rules = createApprovalRules(undefined);
    expect(rules.requestFor(FACTS)).toBeUndefined();
    expect(rules.needs("shop__refund")).toBe(false);
  });

  it.each([
    ["shop__refund", "asked"],
    ["crm__anything", "asked"],
    ["shop__drop_all", "denied"],
    ["shop__list", undefined],
  ])("%s: %s", (tool, expected) => {
    const rules = createApprovalRules(CONFIG);
    const request = rules.requestFor({ ...FACTS, tool });
    expect(typeof request === "object" ? "asked" : request).toBe(expected);
    expect(rules.needs(tool)).toBe(expected !== undefined);
  });

  it("refuses a tool that both lists name", () => {
    expect(createApprovalRules({ ...CONFIG, denied: ["*"] }).requestFor(FACTS)).toBe("denied");
  });

  it("shows what is asked for", () => {
    expect(createApprovalRules(CONFIG).requestFor(FACTS)).toEqual({
      binding: expect.stringMatching(/^[0-9a-f]{64}$/),
      policy: expect.stringMatching(/^[0-9a-f]{64}$/),
      tenant: "t",
      caller: "a",
      tool: "shop__refund",
      arguments: '{"n":1}',
      expiresMs: 60_000,
    });
  });

  it("binds to each part, and to the borders between them", () => {
    const bindingOf = (facts: Partial<RuleFacts>, config: Partial<typeof CONFIG> = {}) => {
      const request = createApprovalRules({ ...CONFIG, ...config }).requestFor({ ...FACTS, ...facts });
      return typeof request === "object" ? request.binding : request;
    };
    const bindings = [
      bindingOf({}),
      bindingOf({ caller: { id: "b", tenant: "t" } }),
      bindingOf({ caller: { id: "a", tenant: "u" } }),
      bindingOf({ caller: { id: "", tenant: "ta" } }),
      bindingOf({ caller: { id: "ta", tenant: "" } }),
      bindingOf({ tool: "crm__x" }),
      bindingOf({ arguments: '{"n":2}' }),
      bindingOf({ tool: 'crm__","{}', arguments: "" }),
      bindingOf({ tool: "crm__", arguments: '","{}' }),
      bindingOf({}, { expiresMs: 60_001 }),
      bindingOf({}, { tools: ["shop__*"] }),
      bindingOf({}, { denied: [] }),
    ];
    expect(new Set(bindings).size).toBe(bindings.length);
    expect(bindings).not.toContain(undefined);
    // The page where persons decide is no rule.
    expect(bindingOf({}, { link: "https://ops.example.com/{id}" as never })).toBe(bindings[0]);
  });
});

import { core, tool } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import { nameIssues } from "./relay.ts";

const inputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const refused = tool.invalid_arguments.fault({}, { basis: "mapped" });
const call = { name: "shop__buy", inputSchema, params: { arguments: { n: "5" } } };

describe("nameIssues", () => {
  it("says which arguments are wrong, and keeps how certain the refusal is", () => {
    expect(nameIssues(refused, call)).toMatchObject({
      reason: "tool/invalid_arguments",
      params: { tool: "shop__buy" },
      issues: [{ pointer: "/n", rule: "type", expected: "an integer" }],
      basis: "mapped",
      effect: refused.effect,
    });
  });

  it("says so too where the tool only says that it failed", () => {
    const quote = { text: "There is no order x.", from: "peer" } as const;
    const failed = tool.failed.fault({}, { basis: "mapped", quote, textPolicy: "foreign" });
    expect(nameIssues(failed, call)).toMatchObject({
      reason: "tool/invalid_arguments",
      issues: [{ pointer: "/n", rule: "type" }],
      effect: "none",
    });
    expect(nameIssues(failed, call).quote).toBeUndefined();
    expect(nameIssues(failed, { ...call, params: { arguments: { n: 5 } } })).toBe(failed);
  });

  it("checks an empty object where no arguments were sent", () => {
    expect(nameIssues(refused, { ...call, params: {} }).issues).toEqual([
      { pointer: "/n", rule: "required", expected: "an integer" },
    ]);
  });

  it.each([
    ["the arguments satisfy the schema", refused, { ...call, params: { arguments: { n: 5 } } }],
    [
      "the upstream named issues itself",
      tool.invalid_arguments.fault({}, { issues: [{ pointer: "/x", rule: "type" }] }),
      call,
    ],
    ["the fault is another", core.not_found.fault(), call],
    ["no schema is known", refused, { ...call, inputSchema: undefined }],
  ] as const)("leaves the fault as it is where %s", (_case, fault, about) => {
    expect(nameIssues(fault, about)).toBe(fault);
  });
});

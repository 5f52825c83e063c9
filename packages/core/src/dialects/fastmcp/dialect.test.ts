import { describe, expect, it } from "vitest";
import { fastmcp, pydanticIssues, withoutInputValues } from "./dialect.ts";

const failedWith = (text: string) => fastmcp.decode({ result: { content: [{ type: "text", text }], isError: true } });
const failed = (code: number, message: string) => fastmcp.decode({ jsonrpc: "2.0", id: 1, error: { code, message } });

describe("a failed result", () => {
  it("quotes the text of the tool without the prefix of the framework", () => {
    expect(failedWith("Error calling tool 'add': the ink is empty")?.quote?.text).toBe("the ink is empty");
    expect(failedWith("Error executing tool add: the ink is empty")?.recourse).toEqual([
      { do: "refresh" },
      { do: "stop" },
    ]);
  });

  it("never offers to repeat a call that had begun", () => {
    expect(failedWith("Rate limited by upstream API, please retry later")).toMatchObject({
      effect: "possible",
      recourse: [{ do: "refresh" }],
    });
  });

  it.each(["The printer is on fire", "error calling tool 'x'", "Unknown tool: two words", ""])(
    "is undefined for %j",
    (text) => {
      expect(failedWith(text)).toBeUndefined();
    },
  );
});

describe("FastMCP for TypeScript", () => {
  const message =
    'MCP error -32602: Tool \'cancel_order\' parameter validation failed: order: Invalid input: expected number, received string, why: Invalid option: expected one of "stock"|"customer", items.0.name: Invalid input: expected string, received undefined, note: Too big: expected string to have <=5 characters, root: Unrecognized key: "x". Please check the parameter types and values according to the tool\'s schema.';

  it("says which parameters are wrong", () => {
    expect(failed(-32602, message)).toMatchObject({
      reason: "tool/invalid_arguments",
      effect: "none",
      params: { tool: "cancel_order" },
      issues: [
        { pointer: "/order", rule: "type", expected: "number" },
        { pointer: "/why", rule: "choice" },
        { pointer: "/items/0/name", rule: "required" },
        { pointer: "/note", rule: "length" },
        { pointer: "", rule: "unknown" },
      ],
    });
  });

  it("reads its other sentences", () => {
    expect(failed(-32601, "MCP error -32601: Unknown tool: nope")).toMatchObject({ reason: "tool/not_found" });
    expect(failedWith("Tool 'add' execution failed: the ink is empty")).toMatchObject({
      reason: "tool/failed",
      effect: "possible",
      quote: { text: "the ink is empty" },
    });
    expect(
      failedWith(
        "Tool 'slow' timed out after 50ms. Consider increasing timeoutMs or optimizing the tool implementation.",
      ),
    ).toMatchObject({ reason: "tool/timeout", params: { tool: "slow", timeoutMs: 50 } });
    expect(failedWith("Tool 'add' structured output validation failed: n: Invalid input.")).toMatchObject({
      reason: "tool/output_invalid",
    });
  });
});

describe("an error", () => {
  it.each([
    [-32000, "Rate limited"],
    [4711, "Rate limit exceeded"],
    [0, "something"],
  ])("%d %j is undefined", (code, message) => {
    expect(failed(code, message)).toBeUndefined();
  });

  it("is undefined for a success", () => {
    expect(fastmcp.decode({ result: { content: [] } })).toBeUndefined();
    expect(fastmcp.decode({ error: { code: -32000 } })).toBeUndefined();
  });
});

describe("the validator's text", () => {
  const line = (path: string, says: string, type: string) =>
    `${path}\n  ${says} [type=${type}, input_value='s3cr3t, [x]', input_type=str]\n    For further information visit https://errors.pydantic.dev/2.11/v/${type}`;

  it.each([
    ["missing_argument", "required"],
    ["missing", "required"],
    ["unexpected_keyword_argument", "unknown"],
    ["extra_forbidden", "unknown"],
    ["int_parsing", "type"],
    ["string_type", "type"],
    ["int_from_float", "type"],
    ["literal_error", "choice"],
    ["enum", "choice"],
    ["string_pattern_mismatch", "format"],
    ["greater_than_equal", "range"],
    ["string_too_long", "length"],
    ["value_error", "custom"],
    ["constructor", "custom"],
  ])("%s is %s", (type, rule) => {
    expect(pydanticIssues(`1 validation error for call[x]\n${line("a.0", "Says", type)}`)).toMatchObject([
      { pointer: "/a/0", rule },
    ]);
  });

  it("never contains the received value", () => {
    const text = `2 validation errors for call[x]\n${line("a", "Input should be 'b'", "literal_error")}\n${line("c", "Value error, s3cr3t is odd", "value_error")}`;
    const fault = failedWith(text);
    expect(fault?.issues).toEqual([
      { pointer: "/a", rule: "choice", expected: "Input should be 'b'" },
      { pointer: "/c", rule: "custom" },
    ]);
    expect(JSON.stringify(fault?.issues)).not.toContain("s3cr3t");
    expect(withoutInputValues(text)).not.toContain("input_value");
  });
});

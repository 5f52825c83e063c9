import { describe, expect, it } from "vitest";
import { registerSecrets } from "../../safety/secrets.ts";
import { erlmcp } from "./dialect.ts";
import { ERLMCP_ROWS } from "./table.ts";

const { createErrorResponse } = erlmcp;

// Never run: each line is a mistake that must not compile.
function mistakes(text: string, choice: boolean): void {
  // @ts-expect-error a plain string has no author
  createErrorResponse(1, -32700, text);
  // @ts-expect-error a template with a value in it is put together at run time
  createErrorResponse(1, -32700, `Invalid JSON: ${text}`);
  // @ts-expect-error neither is half of a choice
  createErrorResponse(1, -32700, choice ? "Invalid JSON" : (`No ${text}` as const));
  // @ts-expect-error an id is a string or a number
  createErrorResponse({}, -32700, "Invalid JSON");
  // @ts-expect-error data has no depth
  createErrorResponse(1, -32700, "Invalid JSON", { a: { b: 1 } });
  createErrorResponse(1, -32700, choice ? "Invalid JSON" : "Invalid request");
}

describe("createErrorResponse", () => {
  it("writes a complete reply", () => {
    expect(mistakes).toBeTypeOf("function");
    expect(createErrorResponse(1, -32700, "Invalid JSON")).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32700, message: "Invalid JSON" },
    });
    expect(createErrorResponse("a", -32002, "Tool not found", { tool: "nonexistent_tool" })).toEqual({
      jsonrpc: "2.0",
      id: "a",
      error: { code: -32002, message: "Tool not found", data: { tool: "nonexistent_tool" } },
    });
    expect(createErrorResponse(7, -32600, "Invalid Request", "Missing required field: method").error.data).toBe(
      "Missing required field: method",
    );
  });

  it("leaves out an unknown id and missing data", () => {
    expect(createErrorResponse(undefined, -32700, "Parse error", {})).toEqual({
      jsonrpc: "2.0",
      error: { code: -32700, message: "Parse error" },
    });
    expect(createErrorResponse(1, -32700, "Parse error", "").error).not.toHaveProperty("data");
  });

  it("is read back by the dialect", () => {
    for (const { code, message, reason } of ERLMCP_ROWS) {
      const fault = erlmcp.decode(createErrorResponse(1, code, message as "any of them"));
      expect(fault).toEqual(reason.fault({}, { basis: "mapped", ...(code === -32010 && { afterMs: 30_000 }) }));
    }
  });

  it("removes secrets and other unsafe values from data", () => {
    const forget = registerSecrets("correct-horse-battery");
    try {
      const { error } = createErrorResponse(1, -32031, "Tool execution failed", {
        tool: "database_query",
        reason: "it was correct-horse-battery",
        hosts: ["a", "postgres://app:hunter2@db.internal/orders"],
        url: "postgres://app:hunter2@db.internal/orders",
        note: "",
        attempts: 2,
        dry: false,
        gone: null,
      });
      expect(error.data).toEqual({ tool: "database_query", hosts: ["a"], note: "", attempts: 2, dry: false });
      expect(createErrorResponse(1, -32603, "No", "it was correct-horse-battery").error).not.toHaveProperty("data");
    } finally {
      forget();
    }
  });

  it("uses the fixed message where an untyped caller passes a secret or nothing", () => {
    const forget = registerSecrets("correct-horse-battery");
    try {
      const write = createErrorResponse as unknown as (id: number, code: number, message: string) => { error: unknown };
      expect(write(1, -32002, "correct-horse-battery").error).toEqual({ code: -32002, message: "Tool not found" });
      expect(write(1, -32047, "").error).toEqual({ code: -32047, message: "Internal error" });
    } finally {
      forget();
    }
  });
});

it.each([Number.NaN, 1.5, -32_600.5, -99_999, 0, Number.POSITIVE_INFINITY])("refuses %d, which is no code", (code) => {
  expect(() => createErrorResponse(1, code, "x")).toThrow(TypeError);
});

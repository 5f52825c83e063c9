import { describe, expect, it } from "vitest";
import { fail } from "../../reasons/fail.ts";
import * as auth from "../../reasons/library/auth.ts";
import * as core from "../../reasons/library/core.ts";
import * as prompt from "../../reasons/library/prompt.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import * as resource from "../../reasons/library/resource.ts";
import * as tool from "../../reasons/library/tool.ts";
import { registerSecrets } from "../../safety/secrets.ts";
import { erlmcp } from "./dialect.ts";

const errorOf = (...args: Parameters<typeof erlmcp.encode>) => erlmcp.encode(...args).error;
const PEER = { text: "Said so", from: "peer" } as const;

describe("the code of a fault", () => {
  it("that broke while a template was read is that of templates, and survives a round trip", () => {
    const context = { method: "resources/read", uriTemplate: "logs://{date}" };
    const fault = core.internal.fault({}, { effect: "none" });
    const error = { code: -32029, message: "Template render failed", data: { uri_template: "logs://{date}" } };
    expect(errorOf(fault, context)).toEqual(error);
    expect(erlmcp.decode({ error })).toMatchObject({
      reason: "resource/template_render_failed",
      params: { uriTemplate: "logs://{date}" },
      effect: "none",
    });
    expect(errorOf(fault, { method: "resources/read" }).code).toBe(-32603);
    expect(errorOf(core.timeout.fault(), context).code).toBe(-32009);
  });

  it("is the code of its kind where the table does not have its reason", () => {
    const { code, message } = errorOf(fail.conflict`The order is closed.`.fault);
    expect({ code, message }).toEqual({ code: -32006, message: "The order is closed." });
    expect(errorOf(core.overloaded.fault()).code).toBe(-32010);
    expect(errorOf(core.quota_exhausted.fault()).code).toBe(-32010);
    expect(errorOf(core.unrecognised.fault()).code).toBe(-32603);
  });

  it("is the code of its class where the kind is unknown", () => {
    expect(errorOf({ ...core.validation_failed.fault(), kind: "newer" }).code).toBe(-32007);
    expect(errorOf({ ...core.conflict.fault(), reason: "x/newer", kind: "newer", class: "permission" }).code).toBe(
      -32052,
    );
  });

  it("is that of a failed tool for whatever a tool threw, without its text", () => {
    const call = { method: "tools/call", tool: "database_query" };
    const failed = { code: -32031, message: "Tool execution failed", data: { tool: "database_query" } };
    expect(errorOf(core.internal.fault(), call)).toEqual(failed);
    expect(errorOf(core.internal.fault())).toEqual({ code: -32603, message: "Internal error" });
    expect(errorOf(core.internal.fault(), { method: "resources/read" }).code).toBe(-32603);
    expect(errorOf(tool.output_invalid.fault(), call).code).toBe(-32031);
    // What says more than that something broke keeps its own code.
    expect(errorOf(core.timeout.fault(), call).code).toBe(-32009);
    expect(errorOf(core.unavailable.fault(), call).code).toBe(-32008);
  });

  it("has its fixed message where the reason says no more", () => {
    const { message } = errorOf(core.cancelled.fault(), { method: "tools/call", tool: "t" });
    expect(message).toBe("Tool execution cancelled");
    expect(errorOf(protocol.missing_client_capability.fault({ capabilities: ["sampling"] })).code).toBe(-32063);
    const refused = { code: -32051, message: "Authentication failed" };
    expect(errorOf(auth.unauthorized.fault(), { method: "edge" })).toEqual(refused);
  });

  it("is the code of the tool for wrong arguments", () => {
    const fault = core.missing_field.fault({ field: "b" });
    expect(errorOf(fault).code).toBe(-32602);
    expect(errorOf(fault, { method: "prompts/get" }).code).toBe(-32602);
    expect(errorOf(fault, { method: "tools/call" }).code).toBe(-32034);
    expect(errorOf(fault, { tool: "calculate" })).toEqual({
      code: -32034,
      message: 'A required argument is missing: "b".',
      data: { tool: "calculate" },
    });
    expect(errorOf(tool.result_too_large.fault()).code).toBe(-32034);
  });

  it("depends on the domain of the reason for not_found", () => {
    expect(errorOf(tool.unreachable.fault()).code).toBe(-32002);
    expect(errorOf(core.not_found.fault()).code).toBe(-32001);
    expect(errorOf(fail.not_found`No.`.fault, { tool: "get_order" }).code).toBe(-32001);
    expect(errorOf({ ...fail.not_found`No.`.fault, reason: "constructor/x" }).code).toBe(-32001);
  });
});

describe("a text about the failure", () => {
  it("of the peer is in data, in details or in the message, depending on the code", () => {
    expect(errorOf(protocol.parse_error.fault({}, { quote: PEER }))).toMatchObject({
      message: "Parse error",
      data: "Said so",
    });
    expect(errorOf(protocol.invalid_params.fault({}, { quote: PEER })).data).toEqual({ details: "Said so" });
    expect(errorOf(core.internal.fault({}, { quote: PEER }))).toEqual({ code: -32603, message: "Said so" });
  });

  it("is not called a tool's where none was called", () => {
    const fault = resource.access_denied.fault(
      {},
      { quote: { text: "The lobby is closed on Mondays.", from: "thrown" } },
    );
    const messages = ["tools/call", "resources/read"].map((method) => errorOf(fault, { method }).message);
    expect(messages).toEqual([
      "The tool said: “The lobby is closed on Mondays.”",
      "The program said: “The lobby is closed on Mondays.”",
    ]);
  });

  it("is written once", () => {
    const { message, data } = errorOf(protocol.request_state_invalid.fault());
    expect([message, data]).toEqual(["The state of this exchange is invalid or expired.", undefined]);
  });

  it("of a thrown error is not relayed", () => {
    const quote = { text: "/srv/data/report.pdf", from: "thrown" } as const;
    expect(errorOf(core.internal.fault({}, { quote }))).toEqual({ code: -32603, message: "Internal error" });
    expect(errorOf(protocol.parse_error.fault({}, { quote })).data).toBe("The message is not valid JSON.");
  });

  it("from the param `details` is in details", () => {
    const fault = tool.invalid_arguments.fault({ tool: "calculate", details: "b is missing" });
    expect(errorOf(fault).data).toEqual({ tool: "calculate", details: "b is missing" });
    expect(errorOf(tool.invalid_arguments.fault({ details: "" }))).not.toHaveProperty("data");
    expect(erlmcp.decode(erlmcp.encode(fault))).toMatchObject({
      quote: { text: "b is missing" },
      params: { tool: "calculate" },
    });
  });

  it("is separate from the message, and both come back as one quote", () => {
    const fault = fail.invalid_input({ quote: PEER })`No channel here.`.fault;
    expect(errorOf(fault)).toEqual({ code: -32602, message: "No channel here.", data: { details: "Said so" } });
    expect(erlmcp.decode(erlmcp.encode(fault))?.quote?.text).toBe("No channel here. (Said so)");
  });
});

describe("issues", () => {
  const issues = [
    { pointer: "/uri", rule: "format", expected: "a URI" },
    { pointer: "/items/0", rule: "required" },
  ] as const;

  it("are listed in details", () => {
    expect(errorOf(tool.invalid_arguments.fault({}, { issues })).data).toEqual({
      details: "uri must be a URI. items[0] is required",
    });
  });

  it("of a failed validation become the members field and constraint", () => {
    const first = core.validation_failed.fault({}, { issues: [{ pointer: "/uri", rule: "required" }] });
    expect(errorOf(first).data).toEqual({ field: "uri", constraint: "required" });
    const custom = core.validation_failed.fault(
      {},
      { issues: [{ pointer: "/uri", rule: "custom", expected: "valid_uri" }] },
    );
    expect(errorOf(custom).data).toEqual({ field: "uri", constraint: "valid_uri" });
    expect(errorOf(core.validation_failed.fault({}, { issues })).data).toEqual({
      field: "uri",
      constraint: "format",
      details: "uri must be a URI. items[0] is required",
    });
    const deep = core.validation_failed.fault({}, { issues: [{ pointer: "/items/0", rule: "type" }] });
    expect(errorOf(deep).data).toEqual({ field: "/items/0", constraint: "type" });
    expect(erlmcp.decode(erlmcp.encode(deep))?.issues).toEqual(deep.issues);
  });

  it("do not replace a field that a param names, and have no field for the whole input", () => {
    const other = core.validation_failed.fault({ field: "name" }, { issues: [{ pointer: "/uri", rule: "type" }] });
    expect(errorOf(other).data).toEqual({ field: "name", details: "uri has the wrong type" });
    const whole = core.validation_failed.fault({}, { issues: [{ pointer: "", rule: "unknown" }] });
    expect(errorOf(whole).data).toEqual({ details: "an argument is unknown" });
  });

  it("of a prompt name only a missing argument", () => {
    expect(
      errorOf(prompt.argument_missing.fault({}, { issues: [{ pointer: "/topic", rule: "required" }] })).data,
    ).toEqual({
      argument: "topic",
    });
    expect(errorOf(prompt.argument_missing.fault({}, { issues: [{ pointer: "/topic", rule: "type" }] })).data).toEqual({
      details: "topic has the wrong type",
    });
  });
});

describe("times and limits", () => {
  it("are rounded up to whole seconds where the wire counts seconds", () => {
    const fault = core.rate_limited.fault({ limit: 5, windowMs: 1_500 }, { retry: { allowed: true, afterMs: 1 } });
    expect(errorOf(fault).data).toEqual({ limit: 5, window: 2, retry_after: 1 });
    expect(errorOf(core.timeout.fault({ timeoutMs: 1_500, elapsedMs: 1_501 })).data).toEqual({
      timeout_ms: 1_500,
      elapsed_ms: 1_501,
    });
  });

  it("come from the limits where the params have none", () => {
    const limits = [{ quota: 100, windowMs: 60_000 }];
    expect(errorOf(core.rate_limited.fault({}, { limits })).data).toEqual({ limit: 100, window: 60 });
    expect(errorOf(core.overloaded.fault({}, { limits })).data).toEqual({ limit: 100, window: 60 });
    expect(errorOf(core.internal.fault({}, { limits }))).not.toHaveProperty("data");
  });

  it("cannot express that a call must not be repeated", () => {
    const fault = core.rate_limited.fault({}, { retry: { allowed: false, afterMs: 5_000 } });
    expect(errorOf(fault)).not.toHaveProperty("data");
    expect(erlmcp.decode(erlmcp.encode(fault))).not.toHaveProperty("retry");
  });

  it("have defaults", () => {
    expect(erlmcp.defaults).toEqual({
      maxDescriptionLength: 10_000,
      maxMessageBytes: 16 * 1024 * 1024,
      retryAfterMs: 30_000,
    });
    const silent = erlmcp.decode({ error: { code: -32010, message: "Rate limit exceeded" } });
    expect(silent?.recourse).toEqual([{ do: "retry", afterMs: 30_000 }]);
    expect(silent).not.toHaveProperty("retry");
  });
});

describe("values", () => {
  it("that the filters removed are not sent", () => {
    const fault = protocol.version_unsupported.fault({ requested: 7 as never, supported: ["2025-11-25", 7 as never] });
    expect(fault.params).toEqual({ requested: null, supported: ["2025-11-25", null] });
    expect(errorOf(fault).data).toEqual({ supported_versions: ["2025-11-25"] });
  });

  it("of a reason other than the row's are not sent", () => {
    const fault = { ...fail.unavailable`It is down.`.fault, params: { reason: "x" } };
    expect(errorOf(fault)).toEqual({ code: -32008, message: "It is down." });
  });

  it("include the name of the called tool, after filtering", () => {
    expect(errorOf(tool.timeout.fault({ timeoutMs: 5 }), { tool: "report" }).data).toEqual({
      tool: "report",
      timeout_ms: 5,
    });
    expect(errorOf(tool.timeout.fault({ tool: "other" }), { tool: "report" }).data).toEqual({ tool: "other" });
    expect(errorOf(tool.timeout.fault(), { tool: "-----BEGIN RSA" })).not.toHaveProperty("data");
  });

  it("that are inherited do not count", () => {
    const data: unknown = Object.create({ tool: "calculate", retry_after: 5, details: "x" });
    expect(erlmcp.decode({ error: { code: -32002, message: "Tool not found", data } })).toEqual(
      tool.not_found.fault({}, { basis: "mapped" }),
    );
  });
});

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

  it("cuts secrets out of data", () => {
    const forget = registerSecrets("correct-horse-battery");
    try {
      const { error } = createErrorResponse(1, -32031, "Tool execution failed", {
        tool: "database_query",
        reason: "all of it was correct-horse-battery",
        hosts: ["a", "postgres://app:hunter2@db.internal/orders"],
        url: "postgres://app:hunter2@db.internal/orders",
        note: "",
        attempts: 2,
        dry: false,
        gone: null,
      });
      const url = "postgres://app:[removed]@db.internal/orders";
      const reason = "all of it was [removed]";
      expect(error.data).toEqual({
        tool: "database_query",
        reason,
        hosts: ["a", url],
        url,
        note: "",
        attempts: 2,
        dry: false,
      });
      expect(createErrorResponse(1, -32603, "No", "all of it was correct-horse-battery").error.data).toBe(reason);
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

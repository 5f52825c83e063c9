import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { KINDS, type Kind } from "../../fault/kinds.ts";
import type { Severity } from "../../fault/severity.ts";
import { erlmcp } from "./dialect.ts";
import { ERLMCP_BY_KIND, NOT_FOUND_BY_DOMAIN } from "./encode.ts";
import { ERLMCP_ROWS, ERROR_CATEGORIES, type ErlmcpRow, type ErrorCategory } from "./table.ts";

type Pin = readonly [code: number, message: string, reason: string, kind: Kind, members: string];

/** What every code says and means: published, so a row may be added but never changed. */
const PINS: readonly Pin[] = [
  [-32700, "Parse error", "protocol/parse_error", "invalid_request", ""],
  [-32600, "Invalid Request", "protocol/invalid_request", "invalid_request", ""],
  [-32601, "Method not found", "protocol/method_not_found", "unsupported", "method"],
  [-32602, "Invalid params", "protocol/invalid_params", "invalid_input", ""],
  [-32603, "Internal error", "core/internal", "internal", ""],
  [-32001, "Resource not found", "resource/not_found", "not_found", "uri"],
  [-32002, "Tool not found", "tool/not_found", "not_found", "tool"],
  [-32003, "Prompt not found", "prompt/not_found", "not_found", "prompt"],
  [-32004, "Capability not supported", "protocol/capability_not_supported", "unsupported", "capability"],
  [-32005, "Server not initialized", "protocol/not_initialized", "precondition_failed", "phase"],
  [-32006, "Subscription failed", "resource/subscription_failed", "conflict", "uri reason"],
  [-32007, "Validation failed", "core/validation_failed", "invalid_input", "field constraint"],
  [-32008, "Transport error", "transport/failed", "unavailable", "reason"],
  [-32009, "Request timeout", "core/timeout", "timeout", "timeout_ms elapsed_ms"],
  [-32010, "Rate limit exceeded", "core/rate_limited", "rate_limited", "limit window"],
  [
    -32011,
    "Tool description exceeds maximum length",
    "tool/description_too_long",
    "invalid_input",
    "actual_length max_length",
  ],
  [
    -32012,
    "Message size exceeds maximum allowed",
    "content/message_too_large",
    "invalid_input",
    "actual_size max_size",
  ],
  [-32013, "Invalid content type", "content/invalid_type", "invalid_input", "content_type"],
  [-32014, "Content too large", "content/too_large", "invalid_input", "actual_size max_size"],
  [-32015, "Invalid encoding", "content/invalid_encoding", "invalid_request", "encoding position"],
  [-32021, "Resource template not found", "resource/template_not_found", "not_found", "uri_template"],
  [-32022, "Invalid URI", "resource/invalid_uri", "invalid_input", "uri reason"],
  [-32023, "URI syntax error", "resource/uri_syntax", "invalid_input", ""],
  [-32025, "Resource access denied", "resource/access_denied", "forbidden", "uri required_permission"],
  [-32029, "Template render failed", "resource/template_render_failed", "invalid_input", "uri_template reason"],
  [-32031, "Tool execution failed", "tool/execution_failed", "internal", "tool reason"],
  [-32032, "Tool execution timeout", "tool/timeout", "timeout", "tool timeout_ms"],
  [-32033, "Tool execution cancelled", "tool/cancelled", "cancelled", "tool reason"],
  [-32034, "Invalid tool arguments", "tool/invalid_arguments", "invalid_input", "tool"],
  [-32043, "Prompt argument missing", "prompt/argument_missing", "invalid_input", "prompt argument"],
  [-32044, "Prompt render failed", "prompt/render_failed", "internal", ""],
  [-32046, "Sampling failed", "sampling/failed", "upstream_failed", "reason"],
  [-32051, "Authentication failed", "auth/failed", "unauthenticated", "reason"],
  [-32052, "Authorization failed", "auth/not_authorized", "forbidden", "operation required_role"],
  [-32053, "Invalid credentials", "auth/invalid_credentials", "unauthenticated", ""],
  [-32054, "Token expired", "auth/token_expired", "unauthenticated", "expired_at"],
  [-32056, "Access denied", "auth/access_denied", "forbidden", ""],
  [
    -32061,
    "Unsupported protocol version",
    "protocol/version_unsupported",
    "unsupported",
    "requested_version supported_versions",
  ],
  [-32062, "Protocol version mismatch", "protocol/version_mismatch", "unsupported", ""],
  [-32063, "Capability negotiation failed", "protocol/negotiation_failed", "unsupported", ""],
  [-32071, "Invalid cursor", "pagination/invalid_cursor", "invalid_input", "cursor"],
  [-32072, "Cursor expired", "pagination/cursor_expired", "precondition_failed", "cursor ttl_seconds"],
  [-32081, "Task not found", "task/not_found", "not_found", "taskId"],
  [-32083, "Task failed", "task/failed", "internal", "taskId reason"],
  [-32084, "Task cancelled", "task/cancelled", "cancelled", "taskId"],
  [-32085, "Task timeout", "task/timeout", "timeout", "taskId timeout_ms"],
  [-32091, "Invalid progress token", "progress/invalid_token", "invalid_request", "progressToken"],
  [-32092, "Progress token expired", "progress/token_expired", "precondition_failed", ""],
  [-32094, "Notification failed", "notification/failed", "unavailable", "notification_type reason"],
  [-32110, "Completion not found", "completion/not_found", "not_found", ""],
  [-32111, "Invalid completion reference", "completion/invalid_reference", "invalid_input", ""],
  [-32112, "Invalid completion argument", "completion/invalid_argument", "invalid_input", ""],
  [-32113, "Completion failed", "completion/failed", "internal", ""],
  [1090, "Elicitation failed", "elicitation/failed", "internal", ""],
  [1091, "Elicitation timeout", "elicitation/timeout", "timeout", ""],
  [1095, "Task not found (positive)", "task/not_found", "not_found", "taskId"],
];

describe("the table", () => {
  it("holds the 56 codes", () => {
    const rows = (ERLMCP_ROWS as readonly ErlmcpRow[]).map(({ code, message, reason, members }) => [
      code,
      message,
      reason.id,
      reason.kind,
      Object.keys(members ?? {}).join(" "),
    ]);
    expect(rows).toEqual(PINS);
    expect(new Set(PINS.map(([code]) => code)).size).toBe(56);
  });

  it("has a slot for every member, and a member for every slot except details", () => {
    for (const { members, reason, textIn } of ERLMCP_ROWS as readonly ErlmcpRow[]) {
      const names = Object.values(members ?? {});
      expect([...names, ...(textIn === "details" ? ["details"] : [])]).toEqual(
        expect.arrayContaining(Object.keys(reason.slots)),
      );
      expect(Object.keys(reason.slots)).toEqual(expect.arrayContaining(names));
    }
  });

  it("has a code for every kind", () => {
    expect(ERLMCP_BY_KIND).toEqual({
      invalid_input: -32602,
      invalid_request: -32600,
      unauthenticated: -32051,
      forbidden: -32052,
      approval_required: -32052,
      rate_limited: -32010,
      overloaded: -32010,
      timeout: -32009,
      unavailable: -32008,
      upstream_failed: -32031,
      not_found: -32001,
      conflict: -32006,
      precondition_failed: -32005,
      unsupported: -32601,
      quota_exhausted: -32010,
      cancelled: -32033,
      internal: -32603,
      unknown: -32603,
    });
    expect(Object.keys(ERLMCP_BY_KIND)).toEqual(expect.arrayContaining(Object.keys(KINDS)));
    expect(NOT_FOUND_BY_DOMAIN).toEqual({ tool: -32002, prompt: -32003, task: -32081, completion: -32110 });
  });
});

describe("the page", () => {
  const page = readFileSync(new URL("../../../../../docs/dialects/erlmcp.md", import.meta.url), "utf8");

  it.each(PINS)("has the row of %d", (code, message, reason, kind) => {
    expect(page).toMatch(
      new RegExp(
        `^\\| ${code} \\| ${message.replace(/[()]/g, "\\$&")} \\| ${reason} \\| ${kind} \\| [^|]* \\| [^|]* \\|$`,
        "m",
      ),
    );
  });

  it("names the members of every code", () => {
    for (const [code, , , , members] of PINS) {
      const line = page.split("\n").find((one) => one.startsWith(`| ${code} |`));
      for (const member of members.split(" ").filter(Boolean)) expect(line).toContain(`\`${member}\``);
    }
  });

  it("has the row of every kind and of every category", () => {
    for (const [kind, code] of Object.entries(ERLMCP_BY_KIND)) expect(page).toContain(`| ${kind} | ${code} `);
    for (const [name, { from, to, reason }] of Object.entries(ERROR_CATEGORIES)) {
      const rows = [`${from} to ${to}`, `${to} to ${from}`].map((range) => `| ${name} | ${range} | ${reason.id} |`);
      expect(rows.filter((row) => page.includes(row))).toHaveLength(1);
    }
  });
});

/** First and last code of every category. */
const RANGES: Record<ErrorCategory, readonly [number, number]> = {
  jsonrpc: [-32700, -32600],
  mcp_core: [-32001, -32010],
  content: [-32011, -32020],
  resource: [-32021, -32030],
  tool: [-32031, -32040],
  prompt: [-32041, -32050],
  auth: [-32051, -32060],
  protocol: [-32061, -32070],
  pagination: [-32071, -32080],
  task: [-32081, -32090],
  progress: [-32091, -32100],
  completion: [-32110, -32113],
  experimental: [1090, 1099],
};

const OUTSIDE = [-99999, -32701, -32599, -32114, -32109, -32101, -32000, 0, 1, 1089, 1100, -32001.5, Number.NaN];

describe("errorCategory and validateErrorCode", () => {
  it("returns what erlmcp's own functions return", () => {
    expect(erlmcp.validateErrorCode(-32002)).toBe(true);
    expect(erlmcp.validateErrorCode(-99999)).toBe(false);
    expect(erlmcp.errorCategory(-32001)).toBe("mcp_core");
    expect(erlmcp.errorCategory(-32032)).toBe("tool");
  });

  it.each(Object.entries(RANGES))("%s covers its complete range", (name, [one, other]) => {
    for (let code = Math.min(one, other); code <= Math.max(one, other); code++) {
      expect(erlmcp.errorCategory(code)).toBe(name);
      expect(erlmcp.validateErrorCode(code)).toBe(true);
    }
  });

  it("there are thirteen", () => {
    expect(Object.keys(ERROR_CATEGORIES)).toEqual(Object.keys(RANGES));
    expect(Object.keys(RANGES)).toHaveLength(13);
  });

  it.each(OUTSIDE)("%d is in none", (code) => {
    expect(erlmcp.errorCategory(code)).toBeUndefined();
    expect(erlmcp.validateErrorCode(code)).toBe(false);
  });
});

describe("errorSeverity", () => {
  it("ranks every defined code by the table", () => {
    const expected = (code: number): Severity => {
      if ([-32700, -32600, -32603].includes(code)) return "critical";
      if ([-32601, -32602].includes(code) || (code <= -32001 && code >= -32010)) return "error";
      return code <= -32011 && code >= -32080 ? "warning" : "info";
    };
    for (const { code } of ERLMCP_ROWS) expect(erlmcp.errorSeverity(code)).toBe(expected(code));
  });

  it.each([
    [-32700, "critical"],
    [-32600, "critical"],
    [-32603, "critical"],
    [-32601, "error"],
    [-32602, "error"],
    [-32001, "error"],
    [-32002, "error"],
    [-32010, "error"],
    [-32011, "warning"],
    [-32080, "warning"],
    [-32081, "info"],
    [-32113, "info"],
    [-32650, "info"],
    [-32000, "info"],
    [1090, "info"],
    [-99999, "info"],
    [-32050.5, "info"],
  ] as const)("%d is %s", (code, severity) => {
    expect(erlmcp.errorSeverity(code)).toBe(severity);
  });
});

describe("a code that erlmcp does not define", () => {
  it.each([
    [-32650, "protocol/invalid_request", "invalid_request"],
    [-32016, "core/validation_failed", "invalid_input"],
    [-32024, "core/validation_failed", "invalid_input"],
    [-32040, "tool/execution_failed", "internal"],
    [-32041, "core/internal", "internal"],
    [-32055, "auth/access_denied", "forbidden"],
    [-32064, "protocol/negotiation_failed", "unsupported"],
    [-32073, "pagination/invalid_cursor", "invalid_input"],
    [-32082, "task/failed", "internal"],
    [-32093, "core/internal", "internal"],
    [1092, "core/internal", "internal"],
    [-99999, "core/unrecognised", "unknown"],
    [-32000, "core/unrecognised", "unknown"],
    [-32105, "core/unrecognised", "unknown"],
  ])("%d decodes to %s", (code, reason, kind) => {
    expect(erlmcp.decode({ error: { code, message: "Odd" } })).toMatchObject({
      reason,
      kind,
      basis: "mapped",
      quote: { text: "Odd", from: "peer" },
    });
  });
});

import { describe, expect, it } from "vitest";
import type { Severity } from "../../fault/severity.ts";
import { ERROR_CATEGORIES, type ErrorCategory } from "./categories.ts";
import { erlmcp } from "./dialect.ts";
import { ERLMCP_ROWS } from "./table.ts";

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

  it("returns what erlmcp's own functions return", () => {
    expect(erlmcp.validateErrorCode(-32002)).toBe(true);
    expect(erlmcp.validateErrorCode(-99999)).toBe(false);
    expect(erlmcp.errorCategory(-32001)).toBe("mcp_core");
    expect(erlmcp.errorCategory(-32032)).toBe("tool");
  });
});

describe("errorSeverity", () => {
  const expected = (code: number): Severity => {
    if ([-32700, -32600, -32603].includes(code)) return "critical";
    if ([-32601, -32602].includes(code) || (code <= -32001 && code >= -32010)) return "error";
    return code <= -32011 && code >= -32080 ? "warning" : "info";
  };

  it("ranks every defined code by the table", () => {
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

import { describe, expect, it } from "vitest";
import type { Severity } from "../../fault/severity.ts";
import { erlmcp } from "./dialect.ts";
import { ERLMCP_ROWS, ERROR_CATEGORIES, type ErlmcpRow, type ErrorCategory } from "./table.ts";

describe("the table", () => {
  it("has a slot for every member, and a member for every slot except details", () => {
    for (const { members, reason, textIn } of ERLMCP_ROWS as readonly ErlmcpRow[]) {
      const names = Object.values(members ?? {});
      expect([...names, ...(textIn === "details" ? ["details"] : [])]).toEqual(
        expect.arrayContaining(Object.keys(reason.slots)),
      );
      expect(Object.keys(reason.slots)).toEqual(expect.arrayContaining(names));
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

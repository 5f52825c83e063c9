import fc from "fast-check";
import { erlmcp } from "../../src/dialects/erlmcp/erlmcp.ts";
import { testDialectLaws } from "./dialect-laws.ts";

testDialectLaws(
  erlmcp,
  fc.constantFrom(undefined, { method: "tools/call" }, { method: "tools/call", tool: "calculate" }, { tool: "" }),
);

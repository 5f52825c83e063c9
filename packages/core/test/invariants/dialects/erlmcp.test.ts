import fc from "fast-check";
import { erlmcp } from "../../../src/dialects/erlmcp/dialect.ts";
import { testDialectInvariants } from "../dialect-invariants.ts";

testDialectInvariants(
  erlmcp,
  fc.constantFrom(
    undefined,
    { method: "tools/call" },
    { method: "tools/call", tool: "calculate" },
    { tool: "" },
    { method: "edge" },
    { method: "prompts/get" },
  ),
);

import fc from "fast-check";
import { mcp } from "../../src/dialects/mcp/mcp.ts";
import { REVISIONS } from "../../src/dialects/mcp/revision.ts";
import { testDialectLaws } from "./dialect-laws.ts";

testDialectLaws(
  mcp,
  fc.record(
    {
      revision: fc.constantFrom(...REVISIONS),
      method: fc.constantFrom("tools/call", "resources/read", "prompts/get", "completion/complete"),
      outputSchema: fc.boolean(),
    },
    { requiredKeys: [], noNullPrototype: true },
  ) as never,
);

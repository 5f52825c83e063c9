import fc from "fast-check";
import { mcp } from "../../../src/dialects/mcp/dialect.ts";
import { REVISIONS } from "../../../src/wire/revisions.ts";
import { testDialectInvariants } from "../dialect-invariants.ts";

testDialectInvariants(
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

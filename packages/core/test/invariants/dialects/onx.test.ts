import fc from "fast-check";
import { onx } from "../../../src/dialects/onx/dialect.ts";
import { testDialectInvariants } from "../dialect-invariants.ts";

testDialectInvariants(
  onx,
  fc.constantFrom(undefined, { method: "tools/call" }, { method: "resources/read" }, { method: "edge" }),
);

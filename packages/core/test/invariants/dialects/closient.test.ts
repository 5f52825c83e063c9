import fc from "fast-check";
import { closient } from "../../../src/dialects/closient/dialect.ts";
import { testDialectInvariants } from "../dialect-invariants.ts";

testDialectInvariants(
  closient,
  fc.constantFrom(
    undefined,
    { docsBase: "https://closient.com/docs/errors" },
    { at: "2026-04-26T02:34:56.123Z" },
    { at: "2026-04-26T04:34:56+02:00", form: "reply" },
  ) as never,
);

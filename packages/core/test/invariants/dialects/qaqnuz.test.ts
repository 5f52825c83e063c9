import fc from "fast-check";
import { qaqnuz } from "../../../src/dialects/qaqnuz/dialect.ts";
import { testDialectInvariants } from "../dialect-invariants.ts";

testDialectInvariants(qaqnuz, fc.constantFrom(undefined, { form: "wire" }, { form: "envelope" }) as never);

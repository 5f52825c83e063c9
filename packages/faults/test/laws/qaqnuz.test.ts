import fc from "fast-check";
import { qaqnuz } from "../../src/dialects/qaqnuz/qaqnuz.ts";
import { testDialectLaws } from "./dialect-laws.ts";

testDialectLaws(qaqnuz, fc.constantFrom(undefined, { form: "wire" }, { form: "envelope" }) as never);

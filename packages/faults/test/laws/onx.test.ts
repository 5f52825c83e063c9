import fc from "fast-check";
import { onx } from "../../src/dialects/onx/onx.ts";
import { testDialectLaws } from "./dialect-laws.ts";

testDialectLaws(onx, fc.constantFrom(undefined, { method: "tools/call" }, { method: "resources/read" }));

import fc from "fast-check";
import { http } from "../../../src/dialects/http/dialect.ts";
import { testDialectInvariants } from "../dialect-invariants.ts";

testDialectInvariants(http, fc.constantFrom(undefined, { docsBase: "https://docs.example.com/errors/" }));

import fc from "fast-check";
import { http } from "../../src/dialects/http/http.ts";
import { testDialectLaws } from "./dialect-laws.ts";

testDialectLaws(http, fc.constantFrom(undefined, { docsBase: "https://docs.example.com/errors/" }));

import fc from "fast-check";
import { http } from "../../../src/dialects/http/dialect.ts";
import { testDialectInvariants } from "../dialect-invariants.ts";

const contexts = [{ speaksFaults: true }, { speaksFaults: true, docsBase: "https://docs.example.com/errors/" }];
testDialectInvariants(http, fc.constantFrom(...contexts));

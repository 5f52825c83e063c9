import { expect, it } from "vitest";
import type { Document } from "../document/document.ts";
import { readSecurity, readSecuritySchemes } from "./security.ts";

const securitySchemes = {
  key: { type: "apiKey", in: "header", name: "X-Key" },
  basic: { type: "http", scheme: "Basic" },
  oauth: { $ref: "#/other" },
  odd: { type: "apiKey", in: "body", name: "x" },
  unknown: { type: "magic" },
};
const document: Document = {
  version: "3.1",
  root: { components: { securitySchemes }, other: { type: "oauth2", flows: {} }, security: [{ key: [] }] },
};

it("reads the supported schemes", () => {
  expect([...readSecuritySchemes(document)]).toEqual([
    ["key", { type: "apiKey", in: "header", key: "X-Key" }],
    ["basic", { type: "http", scheme: "basic" }],
    ["oauth", { type: "oauth2" }],
  ]);
});

it("reads the requirements of the operation, else those of the document", () => {
  expect(readSecurity(document, {})).toEqual([[{ scheme: "key", scopes: [] }]]);
  expect(readSecurity(document, { security: [] })).toEqual([]);
  const both = ["key", "oauth"].map((scheme) => ({ scheme, scopes: scheme === "key" ? [] : ["read"] }));
  expect(readSecurity(document, { security: [{ key: [], oauth: ["read", 5] }, {}] })).toEqual([both, []]);
});

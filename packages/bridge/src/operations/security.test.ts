import { expect, it } from "vitest";
import type { Document } from "../document/document.ts";
import { schemesOf, securityOf } from "./security.ts";

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

it("reads the schemes that it understands", () => {
  expect([...schemesOf(document)]).toEqual([
    ["key", { type: "apiKey", in: "header", key: "X-Key" }],
    ["basic", { type: "http", scheme: "basic" }],
    ["oauth", { type: "oauth2" }],
  ]);
});

it("reads the ways to be allowed: the operation's, else the document's", () => {
  expect(securityOf(document, {})).toEqual([[{ scheme: "key", scopes: [] }]]);
  expect(securityOf(document, { security: [] })).toEqual([]);
  expect(securityOf(document, { security: [{ key: [], oauth: ["read", 5] }, {}] })).toEqual([
    [
      { scheme: "key", scopes: [] },
      { scheme: "oauth", scopes: ["read"] },
    ],
    [],
  ]);
});

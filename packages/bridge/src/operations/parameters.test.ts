import type { JsonObject } from "@recourse/core/wire";
import { expect, it } from "vitest";
import { isDotSegment, parsePathTemplate, pathParameters, readParameters } from "./parameters.ts";

const components = { parameters: { page: { name: "page", in: "query", schema: { type: "integer" } } } };

function read(parameters: readonly unknown[], { onPath = [] as readonly unknown[], inPath = ["id"] } = {}) {
  return readParameters({
    document: { version: "3.1", root: { components } },
    pathItem: { parameters: onPath },
    operation: { parameters } satisfies JsonObject,
    schemes: new Map([["key", { type: "apiKey", in: "header", key: "X-Api-Key" }]]),
    inPath: new Set(inPath),
  });
}
const only = (parameter: object) => read([parameter]).parameters[0]?.argument;
const schema = { type: "string" };

it.each([
  ["path", { name: "id", in: "path", schema }, { in: "path", required: true, style: "simple", explode: false }],
  ["query", { name: "q", in: "query", schema }, { in: "query", required: false, style: "form", explode: true }],
  ["form", { name: "q", in: "query", schema, explode: false, required: true }, { explode: false, required: true }],
  ["pipes", { name: "q", in: "query", schema, style: "pipeDelimited" }, { style: "pipeDelimited", explode: false }],
  ["reserved", { name: "q", in: "query", schema, allowReserved: true }, { allowReserved: true }],
  ["header", { name: "If-Match", in: "header", schema }, { in: "header", style: "simple", explode: false }],
  ["cookie", { name: "theme", in: "cookie", schema }, { in: "cookie", style: "form", explode: true }],
  ["matrix", { name: "id", in: "path", schema, style: "matrix" }, { style: "matrix", multiSegment: false }],
  ["segments", { name: "id", in: "path", schema, "x-multi-segment": true }, { multiSegment: true }],
  ["content", { name: "q", in: "query", content: { "application/json": { schema } } }, { content: "json" }],
])("reads %s", (_, parameter, argument) => {
  expect(only(parameter)).toMatchObject(argument);
});

it("resolves references, and the operation overrides the path", () => {
  const query = (name: string, required = false) => ({ name, in: "query", required, schema });
  const own = [{ $ref: "#/components/parameters/page" }, query("Q", true)];
  const { parameters } = read(own, { onPath: [query("page", true), query("q")] });
  const found = parameters.map(({ argument: { key, required } }) => `${key} ${required}`);
  expect(found).toEqual(["page false", "q false", "Q true"]);
});

it("leaves out parameters that callers must not choose, and reports it", () => {
  const names = ["Authorization", "x-api-key", "Idempotency-Key", "X-Auth-Token", "X-Original-URL"];
  const all = names.map((name) => ({ name, in: "header", required: true, schema }));
  const { parameters, changes, idempotencyHeader, ok } = read(all);
  expect([parameters, ok, idempotencyHeader]).toEqual([[], true, "Idempotency-Key"]);
  const codes = ["header", "credential", "header", "credential", "header"];
  expect(changes).toEqual(codes.map((code, index) => ({ code, key: names[index] })));
});

it("uses the default style for an unknown one", () => {
  const { parameters, changes } = read([{ name: "q", in: "query", style: "matrix", schema }]);
  expect(parameters[0]?.argument).toMatchObject({ style: "form", explode: true });
  expect(changes).toEqual([{ code: "style", key: "q" }]);
});

it("leaves out parameters that cannot be sent, unless they are required", () => {
  const xml = { name: "q", in: "query", content: { "application/xml": { schema } } };
  expect(read([xml])).toMatchObject({ ok: true, parameters: [], changes: [{ code: "left_out", key: "q" }] });
  expect(read([{ ...xml, required: true }]).ok).toBe(false);
  expect(read([{ name: "a b", in: "header", schema }])).toMatchObject({ ok: true, parameters: [] });
});

it.each([
  ["a reference to nowhere", { $ref: "#/components/parameters/none" }],
  ["a reference to elsewhere", { $ref: "https://evil.example/p.json" }],
  ["no name", { in: "query", schema }],
  ["no place", { name: "q", in: "body", schema }],
  ["nothing", null],
])("does not read %s", (_, parameter) => {
  expect(read([parameter]).ok).toBe(false);
});

it("ignores a path parameter that the path does not have", () => {
  expect(read([{ name: "other", in: "path", required: true, schema }])).toMatchObject({ ok: true, parameters: [] });
});

it("splits a path", () => {
  expect(parsePathTemplate("/repos/{owner}/compare/{base}...{head}")).toEqual([
    [{ text: "repos" }],
    [{ parameter: "owner" }],
    [{ text: "compare" }],
    [{ parameter: "base" }, { text: "..." }, { parameter: "head" }],
  ]);
  expect(parsePathTemplate("/version/")).toEqual([[{ text: "version" }], []]);
  expect(parsePathTemplate("/")).toEqual([[]]);
});

it.each([
  ..."users //evil.example/x /a//b /../admin /a/./b /a/%2e%2E/b /a/.%2e;x/b /a\\b /a?b=c /a#b".split(" "),
  ..."/a%2Fb /a%5cb /a/{b /a/b} /a/{}".split(" "),
  ...["/a b", "/a\u0000", "/a\ud800", `/${"a".repeat(2_000)}`],
])("refuses %j", (path) => {
  expect(parsePathTemplate(path)).toBeUndefined();
});

it("lists the parameters", () => {
  expect(pathParameters(parsePathTemplate("/a/{b}/{c}x{b}") ?? [])).toEqual(new Set(["b", "c"]));
});

it("recognises segments that mean a directory", () => {
  for (const segment of [".", "..", "%2E", "%2e.", "..;", "..%3Bx"]) expect(isDotSegment(segment)).toBe(true);
  for (const segment of ["...", ".a", "a..", "", "..a", "%2e%2e%2e"]) expect(isDotSegment(segment)).toBe(false);
});

import { describe, expect, it } from "vitest";
import type { Document } from "../document/document.ts";
import { acceptHeader, readOperationBody, readResponses } from "./body.ts";
import { findBodyForm, isMediaType, mediaTypeEssence } from "./headers.ts";
import type { HttpMethod } from "./operation.ts";

describe("body", () => {
  const document: Document = { version: "3.1", root: { s: { bin: { type: "string", format: "binary" } } } };
  const text = { type: "string" };
  const object = { type: "object", properties: { a: text, b: text }, required: ["a"] };
  const read = (content: object, { method = "POST", ...more }: { method?: HttpMethod; required?: boolean } = {}) =>
    readOperationBody(document, { content, ...more }, method);
  const seen = (body: ReturnType<typeof read>) =>
    body?.parts.map(
      ({ argument: { key, required, requiredInBody } }) => `${key}${required ? "!" : ""}${requiredInBody ? "?" : ""}`,
    );

  it("makes an argument of every member", () => {
    const body = read({ "application/json": { schema: object } }, { required: true });
    expect(body?.spec).toEqual({ mediaType: "application/json", form: "json", required: true });
    expect(seen(body)).toEqual(["a!?", "b"]);
  });

  it("a body with required members is required, unless the document says otherwise", () => {
    const content = { "application/json": { schema: object } };
    expect(seen(read(content))).toEqual(["a!?", "b"]);
    expect(seen(read(content, { required: false }))).toEqual(["a?", "b"]);
    expect(seen(read(content, { method: "DELETE" }))).toEqual(["a?", "b"]);
  });

  it.each([
    ["a list", { type: "array", items: text }],
    ["a union", { oneOf: [object, text] }],
    ["a map", { type: "object", additionalProperties: text }],
  ])("makes one argument of %s", (_, schema) => {
    expect(seen(read({ "application/json": { schema } }, { required: true }))).toEqual(["undefined!?"]);
  });

  it("prefers the media types that it writes best", () => {
    const media = { schema: object };
    const types = [
      "application/xml",
      "multipart/form-data",
      "application/json-patch+json",
      "application/merge-patch+json",
    ];
    const all = read(Object.fromEntries(types.map((type) => [type, media])));
    expect(all?.spec.mediaType).toBe("application/merge-patch+json");
    expect(read({ "*/*": media })?.spec.mediaType).toBe("application/json");
    expect(read({ "application/json; charset=utf-8": media })?.spec.mediaType).toBe("application/json; charset=utf-8");
  });

  it.each([
    ["XML", { "application/xml": { schema: object } }],
    ["no content", {}],
    ["a type with a line break", { "application/json\r\nX: y": { schema: object } }],
  ])("cannot send %s", (_, content) => {
    expect(read(content)).toBeUndefined();
  });

  it("reads the encoding of form members", () => {
    const encoding = {
      a: { style: "deepObject", explode: true },
      b: { contentType: "application/json" },
      c: { contentType: "image/png, image/jpeg" },
      d: { style: "pipeDelimited" },
      e: { style: "matrix", allowReserved: true },
    };
    const schema = { type: "object", properties: Object.fromEntries(Object.keys(encoding).map((key) => [key, text])) };
    const body = read({ "application/x-www-form-urlencoded": { schema, encoding } });
    const plain = { in: "body", required: false, requiredInBody: false, file: false };
    expect(body?.parts.map(({ argument }) => argument)).toEqual([
      { ...plain, key: "a", style: "deepObject", explode: true },
      { ...plain, key: "b", contentType: "application/json" },
      { ...plain, key: "c" },
      { ...plain, key: "d", style: "pipeDelimited", explode: false },
      { ...plain, key: "e", allowReserved: true },
    ]);
  });

  it("finds the files of a form, in both versions of OpenAPI", () => {
    const properties = {
      one: { $ref: "#/s/bin" },
      many: { type: "array", items: { $ref: "#/s/bin" } },
      newer: { type: "string", contentMediaType: "image/png" },
      encoded: { type: "string", contentMediaType: "image/png", contentEncoding: "base64" },
      text,
    };
    const body = read({ "multipart/form-data": { schema: { type: "object", properties } } });
    expect(body?.parts.map(({ argument }) => argument.file)).toEqual([true, true, true, false, false]);
    expect(body?.parts[1]?.node).toMatchObject({ type: "array", items: { required: ["filename", "dataBase64"] } });
  });

  it.each([
    ["text/csv", "text", { type: "string" }],
    ["application/octet-stream", "binary", { type: "string", format: "byte" }],
  ])("makes one argument of %s", (type, form, node) => {
    const body = read({ [type]: { schema: object } }, { required: true });
    expect(body?.spec.form).toBe(form);
    expect(body?.parts).toMatchObject([{ argument: { key: undefined, required: true }, node }]);
  });
});

it("sends what it can write, and nothing else", () => {
  const types = ["application/vnd.api+json", "*/*", "text/csv", "image/png"];
  expect(types.map((type) => findBodyForm(type)?.form)).toEqual(["json", "json", "text", "binary"]);
  for (const type of ["application/xml", "text/xml", "application/apply-patch+yaml", "image/*", "nonsense"])
    expect(findBodyForm(type), type).toBeUndefined();
});

it("recognises media types that a header can hold", () => {
  expect(['a/b; c="d e"', "application/vnd.x+json"].every(isMediaType)).toBe(true);
  expect(["a/b\r\nX: y", "a/b; c", "a", "a/b;c=d\n", "*/*,a/b"].some(isMediaType)).toBe(false);
  expect(mediaTypeEssence("Text/CSV ; charset=x")).toBe("text/csv");
});

describe("responses", () => {
  const document = { version: "3.1", root: { r: { description: "Not\nthere." } } } as const;

  it("reads responses, ranges and references", () => {
    const responses = {
      200: { description: "OK", content: { "Application/JSON": {}, "bad\r\ntype": {} } },
      404: { $ref: "#/r" },
      "5xx": {},
      default: { description: "Else." },
      teapot: {},
    };
    expect(readResponses(document, { responses })).toEqual([
      { status: "200", description: "OK", mediaTypes: ["application/json"] },
      { status: "404", description: "Not there.", mediaTypes: [] },
      { status: "5XX", description: "", mediaTypes: [] },
      { status: "default", description: "Else.", mediaTypes: [] },
    ]);
  });

  it("accepts the declared types and problem documents", () => {
    const response = { description: "", mediaTypes: ["text/csv"] };
    const always = "application/json, application/problem+json, */*;q=0.1";
    expect(acceptHeader([{ ...response, status: "200" }])).toBe(`text/csv, ${always}`);
    expect(acceptHeader([{ ...response, status: "404" }])).toBe(always);
  });

  it("keeps the header short", () => {
    const mediaTypes = Array.from({ length: 200 }, (_, index) => `application/vnd.type-${index}+json`);
    expect(acceptHeader([{ status: "200", description: "", mediaTypes }]).length).toBeLessThan(520);
  });
});

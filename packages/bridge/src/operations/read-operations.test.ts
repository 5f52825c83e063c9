import { expect, it } from "vitest";
import { describeOperation, readOperations } from "./read-operations.ts";

it.each([
  [{ summary: "Get a client", description: "It must exist." }, "Get a client. It must exist."],
  [{ summary: "Get a client.", description: "Get a client by its id." }, "Get a client by its id."],
  [{ summary: "Get a client" }, "Get a client."],
  [{ description: "<p>Lists <b>all</b>\n\nclients.</p>" }, "Lists all clients."],
  [{ summary: "Old", deprecated: true }, "Deprecated. Old."],
  [{}, "Calls GET /a."],
  [{ description: 5 }, "Calls GET /a."],
])("describes %j", (node, text) => {
  expect(describeOperation(node, "GET /a")).toBe(text);
});

const text = { type: "string" };
const read = (paths: object, more: object = {}) =>
  readOperations({ version: "3.1", root: { openapi: "3.1.0", paths, ...more } });
const only = (operation: object, path = "/a", method = "post") => read({ [path]: { [method]: operation } });

it("makes a tool of an operation", () => {
  const schema = { type: "object", properties: { id: text, name: text }, required: ["name"] };
  const { operations, report } = read(
    {
      "/clients/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: text, description: "The client." }],
        put: {
          operationId: "replaceClient",
          tags: ["clients"],
          summary: "Replace a client",
          parameters: [{ name: "Idempotency-Key", in: "header", schema: text }],
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: { 200: { description: "Replaced.", content: { "application/json": {} } } },
        },
      },
    },
    { security: [{ key: [] }], components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "k" } } } },
  );
  expect(operations).toMatchObject([
    {
      name: "replaceClient",
      id: "replaceClient",
      method: "PUT",
      path: "/clients/{id}",
      description: "Replace a client.",
      tags: ["clients"],
      deprecated: false,
      annotations: { readOnlyHint: false, idempotentHint: true },
      security: [[{ scheme: "key", scopes: [] }]],
      idempotencyHeader: "Idempotency-Key",
      credentialParameters: ["k"],
      server: undefined,
      body: { mediaType: "application/json", form: "json", required: true },
    },
  ]);
  expect(operations[0]?.inputSchema).toEqual({
    type: "object",
    properties: { id__path: { type: "string", description: "The client." }, id__body: text, name: text },
    required: ["id__path", "name"],
    additionalProperties: false,
  });
  expect(report.changed.map(({ code, argument }) => [code, argument])).toEqual([
    ["header", "Idempotency-Key"],
    ["renamed", "id__path"],
    ["renamed", "id__body"],
  ]);
});

const many = Array.from({ length: 300 }, (_, i) => ({ name: `p${i}`, in: "query", schema: text }));

it.each([
  ["method", { "/a": { trace: {} } }],
  ["unreadable", { "/a": { $ref: "https://evil.example/a.yaml" } }],
  ["unsafe_path", { "/../a": { get: {} } }],
  ["unsafe_path", { evil: { get: {} } }],
  ["path_parameter", { "/a/{id}": { get: {} } }],
  ["parameter", { "/a": { get: { parameters: [{ $ref: "#/none" }] } } }],
  ["body", { "/a": { post: { requestBody: { content: { "application/xml": {} } } } } }],
  ["event_stream", { "/a": { get: { responses: { 200: { content: { "text/event-stream": {} } } } } } }],
  ["too_many_arguments", { "/a": { get: { parameters: many } } }],
])("skips for %s, and reports it", (code, paths) => {
  const { operations, report } = read(paths);
  expect(operations).toEqual([]);
  expect(report.skipped).toMatchObject([{ code, text: expect.stringMatching(/\.$/) }]);
});

it("reports what it renamed and changed", () => {
  const requestBody = { content: { "application/json": { schema: text } } };
  const { operations, report } = read({
    "/a": {
      get: { operationId: "a/b", requestBody, parameters: [{ name: "x[]", in: "query", schema: { $ref: "x" } }] },
    },
  });
  expect(operations[0]?.body).toBeUndefined();
  expect(report).toEqual({
    renamed: [{ operation: "GET /a", from: "a/b", to: "a_b" }],
    skipped: [],
    changed: [
      { operation: "GET /a", argument: "x", code: "renamed", text: expect.any(String) },
      { operation: "GET /a", code: "body", text: expect.any(String) },
      { operation: "GET /a", code: "unresolved", text: expect.any(String) },
    ],
  });
});

it("keeps a server of its own separate", () => {
  const servers = [{ url: "https://files.example" }];
  expect(only({ servers }).operations[0]?.server).toBe("https://files.example");
  expect(read({ "/a": { get: {}, servers } }).operations[0]?.server).toBe("https://files.example");
  expect(read({ "/a": { get: { servers } } }, { servers }).operations[0]?.server).toBeUndefined();
});

it("publishes no union at the top, and no reference", () => {
  const schema = { oneOf: [{ type: "object", properties: { a: { $ref: "#/components/schemas/a" } } }, text] };
  const { operations } = read(
    { "/a": { post: { requestBody: { required: true, content: { "application/json": { schema } } } } } },
    { components: { schemas: { a: { type: "integer" } } } },
  );
  expect(operations[0]?.inputSchema).toEqual({
    type: "object",
    properties: { body: { anyOf: [{ type: "object", properties: { a: { type: "integer" } } }, text] } },
    required: ["body"],
    additionalProperties: false,
  });
});

it("survives a meaningless document", () => {
  for (const paths of [null, [], 5, { "/a": 5, "/b": { get: 5, parameters: {} }, "x-y": {} }])
    expect(readOperations({ version: "3.0", root: { paths } }).operations).toEqual([]);
});

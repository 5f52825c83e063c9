import { expect, it } from "vitest";
import { readOperations } from "../operations/read-operations.ts";
import { argumentPath } from "./argument-issues.ts";

const text = { type: "string" };
const address = { type: "object", properties: { city: text, lines: { type: "array", items: text } } };
const client = {
  type: "object",
  properties: { id: text, address, "tags[]": { type: "array", items: { type: "object", properties: { name: text } } } },
};

function tool(schema: object) {
  const parameters = [
    { name: "id", in: "path", required: true, schema: text },
    { name: "page", in: "query", schema: { type: "integer" } },
  ];
  const requestBody = { content: { "application/json": { schema } } };
  const paths = { "/a/{id}": { post: { parameters, requestBody } } };
  const [operation] = readOperations({ version: "3.1", root: { paths } }).operations;
  if (operation === undefined) throw new Error("no operation");
  return operation;
}

it.each([
  ["id", "id__body"],
  ["page", "page"],
  ["address/city", "address/city"],
  ["address/lines/1", "address/lines/1"],
  ["tags[]/0/name", "tags/0/name"],
  ["address/secret_column", "address"],
  ["nothing", undefined],
  ["constructor", undefined],
])("finds the argument of the field %s", (field, path) => {
  expect(argumentPath(tool(client), field.split("/"))?.join("/")).toBe(path);
});

it("finds an index that is a number, and nothing for the whole", () => {
  expect(argumentPath(tool(client), ["address", "lines", 1])).toEqual(["address", "lines", 1]);
  expect(argumentPath(tool(client), [])).toBeUndefined();
});

it("finds a field in a body that is one argument", () => {
  const operation = tool({ oneOf: [client, { type: "object", properties: { name: text } }] });
  expect(argumentPath(operation, ["name"])).toEqual(["body", "name"]);
  expect(argumentPath(operation, ["address", "city"])).toEqual(["body", "address", "city"]);
  expect(argumentPath(operation, ["page"])).toEqual(["page"]);
  expect(argumentPath(operation, ["nothing"])).toBeUndefined();
});

import { expect, it } from "vitest";
import { withParameters } from "../../test/operation.ts";
import { buildRequest } from "./request.ts";

const server = new URL("https://api.example/v1");
function pathFor(parameter: object, value: unknown, template = "/a/{x}") {
  const built = buildRequest(
    withParameters(template, { name: "x", in: "path", ...parameter }),
    { x: value },
    { server },
  );
  return built.ok ? built.request.url.pathname : built.issues;
}

it.each([
  [{}, "a b", "/v1/a/a%20b"],
  [{}, 5, "/v1/a/5"],
  [{}, ["a", "b"], "/v1/a/a,b"],
  [{}, { r: 1, g: 2 }, "/v1/a/r,1,g,2"],
  [{ explode: true }, { r: 1, g: 2 }, "/v1/a/r=1,g=2"],
  [{ style: "label" }, "a", "/v1/a/.a"],
  [{ style: "label" }, ["a", "b"], "/v1/a/.a,b"],
  [{ style: "label", explode: true }, ["a", "b"], "/v1/a/.a.b"],
  [{ style: "matrix" }, "a", "/v1/a/;x=a"],
  [{ style: "matrix" }, "", "/v1/a/;x"],
  [{ style: "matrix" }, ["a", "b"], "/v1/a/;x=a,b"],
  [{ style: "matrix", explode: true }, ["a", "b"], "/v1/a/;x=a;x=b"],
  [{ style: "matrix", explode: true }, { r: 1, g: 2 }, "/v1/a/;r=1;g=2"],
  [{ "x-multi-segment": true }, "src/a b.ts", "/v1/a/src/a%20b.ts"],
  [{ content: { "application/json": {} } }, { a: [1] }, "/v1/a/%7B%22a%22%3A%5B1%5D%7D"],
])("writes with %j the value %j as %s", (parameter, value, path) => {
  expect(pathFor(parameter, value)).toBe(path);
});

it.each([
  [{}, ".."],
  [{}, "."],
  [{}, "%2e%2e"],
  [{}, "%252e%252e"],
  [{}, "..;x"],
  [{}, ";x"],
  [{}, "%3bx"],
  [{}, "a/b"],
  [{}, "a%2fb"],
  [{}, "a\\b"],
  [{}, "a?b"],
  [{}, "a#b"],
  [{}, "a\u0000"],
  [{}, "a\r\nHost: evil"],
  [{}, "\ud800"],
  [{}, ["a", ".."]],
  [{}, ""],
  [{}, []],
  [{}, {}],
  [{}, Number.NaN],
  [{ style: "label" }, ""],
  [{ style: "label", explode: true }, ["a.b", "c"]],
  [{ "x-multi-segment": true }, "a/../../b"],
  [{ "x-multi-segment": true }, "/a"],
  [{ "x-multi-segment": true }, "a//b"],
  [{ "x-multi-segment": true }, "a/"],
])("refuses with %j the value %j", (parameter, value) => {
  expect(pathFor(parameter, value)).toMatchObject([{ pointer: "/x" }]);
});

it("refuses what means a directory only together with the template", () => {
  expect(pathFor({ style: "label" }, ".", "/a/{x}/b")).toMatchObject([{ pointer: "/x", rule: "format" }]);
  expect(pathFor({}, "%2", "/a/{x}e%2e")).toBe("/v1/a/%252e%2e");
});

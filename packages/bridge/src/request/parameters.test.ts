import { describe, expect, it } from "vitest";
import { withParameters } from "../../test/operation.ts";
import { buildRequest } from "./build-request.ts";

const server = new URL("https://api.example/v1");

describe("path parameters", () => {
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
    [{ explode: true }, { r: 1, g: 2 }, "/v1/a/r=1,g=2"],
    [{ style: "label" }, ["a", "b"], "/v1/a/.a,b"],
    [{ style: "label", explode: true }, ["a", "b"], "/v1/a/.a.b"],
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
    [{}, ";x"],
    [{}, "%3bx"],
    [{}, []],
    [{}, {}],
    [{}, Number.NaN],
    [{ style: "label" }, ""],
    [{ style: "label", explode: true }, ["a.b", "c"]],
    [{ "x-multi-segment": true }, "a/"],
  ])("refuses with %j the value %j", (parameter, value) => {
    expect(pathFor(parameter, value)).toMatchObject([{ pointer: "/x" }]);
  });

  it("refuses a value that means a directory together with the template", () => {
    expect(pathFor({ style: "label" }, ".", "/a/{x}/b")).toMatchObject([{ pointer: "/x", rule: "format" }]);
    expect(pathFor({}, "%2", "/a/{x}e%2e")).toBe("/v1/a/%252e%2e");
  });
});

describe("query parameters", () => {
  function queryFor(parameter: object, value: unknown, ...more: readonly object[]) {
    const operation = withParameters("/a", { name: "q", in: "query", ...parameter }, ...more);
    const built = buildRequest(operation, { q: value }, { server });
    return built.ok ? built.request.url.search : built.issues;
  }

  it.each([
    [{}, "a b&c=d", "?q=a%20b%26c%3Dd"],
    [{}, "", "?q="],
    [{}, ["a", "b"], "?q=a&q=b"],
    [{ explode: false }, ["a,b", "c"], "?q=a%2Cb,c"],
    [{}, { r: 1, g: true }, "?r=1&g=true"],
    [{ explode: false }, { r: 1, g: 2 }, "?q=r,1,g,2"],
    [{}, [], ""],
    [{}, { a: null }, ""],
    [{}, [null, "a"], "?q=a"],
    [{ style: "spaceDelimited" }, ["a", "b"], "?q=a%20b"],
    [{ style: "pipeDelimited" }, ["a", "b"], "?q=a%7Cb"],
    [{ style: "pipeDelimited", explode: true }, ["a", "b"], "?q=a&q=b"],
    [
      { style: "deepObject" },
      { a: 1, b: { c: [1, 2] }, d: [{ e: 1 }, { e: 2 }], f: null },
      "?q%5Ba%5D=1&q%5Bb%5D%5Bc%5D%5B%5D=1&q%5Bb%5D%5Bc%5D%5B%5D=2&q%5Bd%5D%5B0%5D%5Be%5D=1&q%5Bd%5D%5B1%5D%5Be%5D=2",
    ],
    [{ style: "deepObject" }, ["x", "y"], "?q%5B%5D=x&q%5B%5D=y"],
    [{ style: "deepObject" }, "x", "?q=x"],
    [{ allowReserved: true }, "a/b:c?d=e&f#g%20+[", "?q=a/b:c?d=e%26f%23g%2520%2B%5B"],
    [{ content: { "application/json": {} } }, { a: [1, "&"] }, "?q=%7B%22a%22%3A%5B1%2C%22%26%22%5D%7D"],
    [{ content: { "text/plain": {} } }, "a&b", "?q=a%26b"],
    [{}, { a: { b: 1 } }, "?a=%7B%22b%22%3A1%7D"],
  ])("writes with %j the value %j", (parameter, value, query) => {
    expect(queryFor(parameter, value)).toBe(query);
  });

  it.each([
    ["a text with the separator", { style: "pipeDelimited" }, ["a|b", "c"]],
    ["a text with a space", { style: "spaceDelimited" }, ["a b", "c"]],
    ["a key with brackets", { style: "deepObject" }, { "a][b": 1 }],
    ["half a character", {}, "\ud800"],
    ["half a character deep inside", { style: "deepObject" }, { a: "\ud800" }],
    ["what JSON does not have", {}, Symbol("x")],
    ["a number that is none", {}, Number.NaN],
    ["an object without end", { style: "deepObject" }, JSON.parse(`${'{"a":'.repeat(30)}1${"}".repeat(30)}`)],
    ["an empty list that is required", { required: true }, []],
  ])("refuses %s", (_, parameter, value) => {
    expect(queryFor(parameter, value)).toMatchObject([{ pointer: "/q", expected: expect.any(String) }]);
  });

  it("refuses an object that would write other parameters", () => {
    expect(queryFor({}, { page: 1 }, { name: "page", in: "query" })).toMatchObject([{ pointer: "/q", rule: "format" }]);
    expect(queryFor({ explode: false }, { page: 1 }, { name: "page", in: "query" })).toBe("?q=page,1");
  });
});

describe("header and cookie parameters", () => {
  function sent(parameter: { name: string; in: string }, value: unknown) {
    const operation = withParameters("/a", parameter);
    const built = buildRequest(operation, { [parameter.name]: value }, { server });
    return built.ok
      ? built.request.headers[parameter.in === "cookie" ? "cookie" : parameter.name.toLowerCase()]
      : built.issues;
  }
  const header = { name: "X-Wanted", in: "header" };
  const cookie = { name: "theme", in: "cookie" };

  it.each([
    [header, "a", "a"],
    [header, 5, "5"],
    [header, ["a", "b"], "a,b"],
    [header, { r: 1, g: 2 }, "r,1,g,2"],
    [{ ...header, explode: true }, { r: 1, g: 2 }, "r=1,g=2"],
    [{ ...header, content: { "application/json": {} } }, { a: "ü" }, '{"a":"\\u00fc"}'],
    [header, [], undefined],
    [cookie, "a;b=c", "theme=a%3Bb%3Dc"],
    [cookie, ["a", "b"], "theme=a; theme=b"],
    [{ ...cookie, explode: false }, ["a", "b"], "theme=a,b"],
    [{ ...cookie, explode: false }, { r: 1 }, "theme=r,1"],
  ])("writes for %j the value %j", (parameter, value, text) => {
    expect(sent(parameter, value)).toBe(text);
  });

  it.each([
    [header, "a\nb"],
    [header, "ü"],
    [header, ["a,b"]],
    [{ ...header, explode: true }, { "a=b": "c" }],
    [cookie, { session: "stolen" }],
    [cookie, "\ud800"],
  ])("refuses for %j the value %j", (parameter, value) => {
    expect(sent(parameter, value)).toMatchObject([{ pointer: `/${parameter.name}` }]);
  });
});

import { expect, it } from "vitest";
import { withParameters } from "../../test/operation.ts";
import { buildRequest } from "./request.ts";

const server = new URL("https://api.example");
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
  [header, "a\r\nAuthorization: b"],
  [header, "a\nb"],
  [header, "a\u0000"],
  [header, "ü"],
  [header, ["a,b"]],
  [{ ...header, explode: true }, { "a=b": "c" }],
  [cookie, { session: "stolen" }],
  [cookie, "\ud800"],
])("refuses for %j the value %j", (parameter, value) => {
  expect(sent(parameter, value)).toMatchObject([{ pointer: `/${parameter.name}` }]);
});

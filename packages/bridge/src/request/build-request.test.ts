import { expect, it } from "vitest";
import { operationAt } from "../../test/operation.ts";
import { buildRequest, joinUrl } from "./build-request.ts";

const server = new URL("https://crm.example/api/v2");
const text = { type: "string" };
const schema = { type: "object", properties: { id: text, text }, required: ["text"] };
const operation = operationAt(
  "/clients/{id}/notes",
  "post",
  {
    parameters: [
      { name: "id", in: "path", required: true, schema: text },
      { name: "workspace", in: "query", required: true, schema: text },
      { name: "where", in: "query", schema: { type: "object" } },
      { name: "If-Match", in: "header", schema: text },
      { name: "theme", in: "cookie", schema: text },
      { name: "lang", in: "cookie", schema: text },
    ],
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: { 201: { description: "Made.", content: { "application/json": {} } } },
  },
  { components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "api_key" } } } },
);

it("writes every argument into its place", () => {
  const sent = { "If-Match": '"5"', theme: "dark", lang: "de", id__body: "n1", text: "Hello" };
  const args = { id__path: "c 1", workspace: "w", ...sent };
  expect(buildRequest(operation, args, { server })).toEqual({
    ok: true,
    request: {
      method: "POST",
      url: new URL("https://crm.example/api/v2/clients/c%201/notes?workspace=w"),
      headers: {
        accept: "application/json, application/problem+json, */*;q=0.1",
        "if-match": '"5"',
        cookie: "theme=dark; lang=de",
        "content-type": "application/json",
      },
      body: '{"id":"n1","text":"Hello"}',
    },
  });
});

it("reports all missing and unknown arguments, never a value", () => {
  const built = buildRequest(operation, { workspace: null, txt: "a secret", id__path: "a/b" }, { server });
  expect(built).toEqual({
    ok: false,
    issues: [
      { pointer: "", rule: "unknown", suggestion: "text" },
      { pointer: "/id__path", rule: "format", expected: expect.any(String) },
      { pointer: "/workspace", rule: "required" },
      { pointer: "/text", rule: "required" },
    ],
  });
  expect(JSON.stringify(built)).not.toMatch(/secret|txt|a\/b/);
});

it("refuses an argument that would write a credential's parameter", () => {
  const args = { id__path: "a", workspace: "w", text: "t", where: { api_key: "mine" } };
  expect(buildRequest(operation, args, { server })).toMatchObject({ ok: false, issues: [{ pointer: "/where" }] });
});

it.each([undefined, null, "x", [], 5])("refuses arguments that are %j", (args) => {
  const issues = [{ pointer: "", rule: "type" }];
  expect(buildRequest(operation, args, { server })).toMatchObject({ ok: false, issues });
});

it("ignores inherited members of the arguments", () => {
  const args: unknown = Object.assign(Object.create({ workspace: "w" }), { id__path: "a", text: "t" });
  const issues = [{ pointer: "/workspace", rule: "required" }];
  expect(buildRequest(operation, args, { server })).toMatchObject({ issues });
  const hostile: unknown = JSON.parse('{ "__proto__": { "workspace": "w" }, "id__path": "a", "text": "t" }');
  expect(buildRequest(operation, hostile, { server })).toMatchObject({ ok: false });
});

it("names at most twenty issues", () => {
  const args = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, 1]));
  const built = buildRequest(operation, args, { server });
  expect(built.ok || built.issues.length).toBe(20);
});

it("joins below the base", () => {
  const join = (server: string, segments: readonly string[], query = "") =>
    joinUrl(new URL(server), segments, query)?.href;
  expect(join("https://a.example/v1/", ["b", "c"], "d=1")).toBe("https://a.example/v1/b/c?d=1");
  expect(join("https://a.example", ["version", ""])).toBe("https://a.example/version/");
});

it("notices when the parser of URLs disagrees", () => {
  const server = new URL("https://a.example/v1");
  for (const segment of ["..", "%2e", "a\\b", "a?b", "a#b", "a\nb", "ü"])
    expect(joinUrl(server, [segment], "")).toBeUndefined();
  expect(joinUrl(server, ["a"], "b=c#d")).toBeUndefined();
});

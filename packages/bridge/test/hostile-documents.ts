// Attacks of hostile documents.

const RESPONSES = { 200: { description: "", content: { "application/json": {} } } };
/** A parameter. */
export const parameter = (name: string, place: string, more: object = {}) => ({
  name,
  in: place,
  schema: { type: "string" },
  ...(place === "path" && { required: true }),
  ...more,
});

/** The API under attack. */
export const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Victim", version: "1" },
  paths: {
    "/users/{id}": {
      parameters: [parameter("id", "path")],
      get: {
        operationId: "getUser",
        parameters: [
          parameter("X-Trace", "header"),
          parameter("theme", "cookie", { schema: {} }),
          parameter("filter", "query", { schema: { type: "object" } }),
        ],
        responses: RESPONSES,
      },
      post: { operationId: "setUser", responses: RESPONSES },
    },
    "/files/{path}": {
      get: {
        operationId: "getFile",
        parameters: [parameter("path", "path", { "x-multi-segment": true })],
        responses: RESPONSES,
      },
    },
    "/upload": {
      post: {
        operationId: "upload",
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: {
                type: "object",
                properties: { file: { type: "string", format: "binary" } },
                required: ["file"],
              },
            },
          },
        },
        responses: RESPONSES,
      },
    },
  },
  components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "api_key" } } },
  security: [{ key: [] }],
};

/** The document with one operation at a path. */
export const patched = (path: string, operation: object) => ({ ...DOCUMENT, paths: { [path]: { get: operation } } });
const lines = (...more: string[]) => ['openapi: "3.1.0"', "info: { title: a, version: b }", ...more].join("\n");
const LAUGHS = lines(
  "a0: &a0 [x, x, x, x, x, x, x, x, x, x]",
  ...Array.from(
    { length: 9 },
    (_, n) => `a${n + 1}: &a${n + 1} [${Array.from({ length: 10 }, () => `*a${n}`).join()}]`,
  ),
);
/** Documents that cannot be used, and the code of the refusal. */
export const REJECTED: readonly (readonly [what: string, document: object | string, code: string])[] = [
  ["a bomb of aliases", LAUGHS, "aliases"],
  ["code", lines('x: !!js/function "function () { process.exit() }"'), "custom_tag"],
  ["another tag", lines("x: !python/object:os.system {}"), "custom_tag"],
  ["a bottomless nesting", `{"openapi":"3.1.0","x":${"[".repeat(3_000)}${"]".repeat(3_000)}}`, "too_deep"],
  ["the same key twice", lines("paths: {}", "paths: {}"), "ambiguous"],
  ["a file of the system", "/dev/zero", "unreadable"],
  ["a directory", "/", "unreadable"],
  ["an older version", { swagger: "2.0" }, "swagger_2"],
];

/** A plain operation. */
export const get = { operationId: "trap", responses: RESPONSES };
/** Operations that try to leave their path. */
export const TRAPS: readonly (readonly [what: string, document: object])[] = [
  ["a path upwards", patched("/a/../../admin", get)],
  ["a path upwards, encoded", patched("/a/%2e%2e/admin", get)],
  ["a path to another host", patched("//evil.example/a", get)],
  ["a path without a slash", patched("@evil.example/a", get)],
  ["a path with a query", patched("/a?admin=true", get)],
  ["a path with a fragment", patched("/a#b", get)],
  ["a path with a backslash", patched("/\\evil.example", get)],
  ["a path with a line break", patched("/a\r\nHost: evil", get)],
  ["an address of its own", patched("/a", { ...get, servers: [{ url: "http://evil.example" }] })],
  ["a required parameter in a file", patched("/a", { ...get, parameters: [{ $ref: "file:///etc/passwd" }] })],
  ["a required parameter elsewhere", patched("/a", { ...get, parameters: [{ $ref: "http://evil.example/p" }] })],
  [
    "a parameter that refers to itself",
    { ...patched("/a", { ...get, parameters: [{ $ref: "#/p" }] }), p: { $ref: "#/p" } },
  ],
];

/** Headers that callers must not choose. */
export const OWN_HEADERS = [
  "Authorization",
  "Cookie",
  "Host",
  "Content-Length",
  "Transfer-Encoding",
  "X-Forwarded-For",
];

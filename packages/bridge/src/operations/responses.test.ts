import { expect, it, test } from "vitest";
import { acceptHeader, readDeclaredError, readResponses } from "./responses.ts";

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
  expect(acceptHeader([{ ...response, status: "200" }])).toBe(
    "text/csv, application/json, application/problem+json, */*;q=0.1",
  );
  expect(acceptHeader([{ ...response, status: "404" }])).toBe("application/json, application/problem+json, */*;q=0.1");
});

it("keeps the header short", () => {
  const mediaTypes = Array.from({ length: 200 }, (_, index) => `application/vnd.type-${index}+json`);
  expect(acceptHeader([{ status: "200", description: "", mediaTypes }]).length).toBeLessThan(520);
});

const RIGHT = { kind: "precondition_failed", reason: "wrong_state", message: "It is archived." };

test("reads x-mcp-error of a response", () => {
  expect(readDeclaredError({ "x-mcp-error": RIGHT })).toEqual({
    kind: "precondition_failed",
    name: "wrong_state",
    text: "It is archived.",
  });
  expect(
    readDeclaredError({ "x-mcp-error": { ...RIGHT, retryable: true, message: "One\n  line\u200b." } }),
  ).toMatchObject({
    text: "One line.",
    retryable: true,
  });
});

test.each([
  ["no object", "text"],
  ["an unknown kind", { ...RIGHT, kind: "nonsense" }],
  ["an inherited kind", { ...RIGHT, kind: "constructor" }],
  ["a kind for decoders", { ...RIGHT, kind: "unknown" }],
  ["a demand for credentials", { ...RIGHT, kind: "unauthenticated" }],
  ["a name that is none", { ...RIGHT, reason: "Wrong State" }],
  ["no sentence", { ...RIGHT, message: "" }],
  ["a sentence with places", { ...RIGHT, message: "It is {state}." }],
])("%s is not", (_, value) => {
  expect(readDeclaredError({ "x-mcp-error": value })).toBeUndefined();
});

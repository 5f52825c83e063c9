import { expect, test } from "vitest";
import { declaredError } from "./declared-error.ts";

const RIGHT = { kind: "precondition_failed", reason: "wrong_state", message: "It is archived." };

test("a sentence beside a response is taken over", () => {
  expect(declaredError({ "x-mcp-error": RIGHT })).toEqual({
    kind: "precondition_failed",
    name: "wrong_state",
    text: "It is archived.",
  });
  expect(declaredError({ "x-mcp-error": { ...RIGHT, retryable: true, message: "One\n  line\u200b." } })).toMatchObject({
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
  expect(declaredError({ "x-mcp-error": value })).toBeUndefined();
});

import { expect, test } from "vitest";
import type { Answer } from "../../recording/recording.ts";
import { isRefusal } from "./wrong-arguments.ts";

const wrong = [{ field: "pod", rule: "type" }] as const;

function said(message: Record<string, unknown>): boolean {
  const answer: Answer = { kind: "message", message: { jsonrpc: "2.0", id: 1, ...message }, ms: 1, text: "", bytes: 0 };
  return isRefusal(answer, wrong);
}
const failed = (text: string, more: object = {}) => ({
  result: { isError: true, content: [{ type: "text", text }], ...more },
});

test("a refusal as wrong arguments opens the ladder", () => {
  expect(said({ error: { code: -32602, message: "Invalid params" } })).toBe(true);
  expect(said(failed("Input validation error: pod: expected string"))).toBe(true);
  expect(said(failed("Sorry.", { error: { fields: ["pod"], reason: "invalid" } }))).toBe(true);
  expect(said({ error: { code: -32603, message: "pod must be a string" } })).toBe(true);
});

test("anything else does not: the arguments may have been used", () => {
  expect(said({ result: { content: [] } })).toBe(false);
  expect(said(failed("kubectl logs recourse-probe-missing failed"))).toBe(false);
  expect(said(failed("pod.startsWith is not a function, expected string"))).toBe(false);
  expect(said({ error: { code: -32602, message: "Cannot read properties of undefined" } })).toBe(false);
  expect(said(failed("connect ECONNREFUSED: invalid pod"))).toBe(false);
  expect(isRefusal({ kind: "silent", ms: 1, strays: [] }, wrong)).toBe(false);
});

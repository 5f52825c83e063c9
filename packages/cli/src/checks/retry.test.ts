import { describe, expect, it } from "vitest";
import {
  bodyAnswer,
  type CheckCase,
  exchangeOf,
  OVER_HTTP,
  rpcError,
  rpcResult,
  saysOf,
  toolFailure,
} from "../../test/support/make-recording.ts";
import type { RecordedAnswer } from "../recording/recording.ts";

const HTTP = { target: OVER_HTTP };
const withHeader = {
  ...bodyAnswer(429, "slow down"),
  http: { status: 429, headers: { "retry-after": "3" }, streamed: false },
} as RecordedAnswer;
const call = (answer: RecordedAnswer) => exchangeOf("valid-call", answer, { tool: "stock" });
const lists = [exchangeOf("list", rpcResult({}), { variant: "tools/list" })];
const tool = (name: string, annotations?: object) => ({ name, ...(annotations && { annotations }) });

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "retry-after": [
    { about: "a header", exchanges: [call(withHeader)], view: HTTP, says: "pass" },
    {
      about: "a wait in the data",
      exchanges: [call(rpcError(1, "no", { data: { retryAfterMs: 3 }, status: 429 }))],
      view: HTTP,
      says: "pass",
    },
    {
      about: "a wait in the text",
      exchanges: [call(bodyAnswer(503, "Come back in 30 seconds."))],
      view: HTTP,
      says: "pass",
    },
    {
      about: "no wait",
      exchanges: [call(bodyAnswer(429, "Too many requests."))],
      view: HTTP,
      says: "429 has no Retry-After",
    },
    { about: "never overloaded", exchanges: [call(rpcResult({}, 200))], view: HTTP, says: "skipped" },
  ],
  "retry-hint": [
    {
      about: "no hint",
      exchanges: [call(toolFailure("connect ECONNREFUSED"))],
      says: "A valid call of stock fails with",
    },
    {
      about: "a hint",
      exchanges: [call(toolFailure("connect ECONNREFUSED", { _meta: { x: { retryable: true } } }))],
      says: "pass",
    },
    { about: "a hint in a JSON text", exchanges: [call(toolFailure('{"error":"503","retry_after":3}'))], says: "pass" },
    {
      about: "later",
      exchanges: [call(toolFailure("The service is away, ask later."))],
      says: "nothing says whether to repeat it",
    },
    { about: "prose alone", exchanges: [call(toolFailure("Please try again."))], says: "skipped" },
    { about: "another failure", exchanges: [call(toolFailure("There is no such item."))], says: "skipped" },
    {
      about: "refused credentials",
      exchanges: [call(rpcError(1, "ask later", { status: 403 }))],
      view: HTTP,
      says: "skipped",
    },
  ],
  "annotations-present": [
    { about: "a hint", exchanges: lists, view: { tools: [tool("a", { readOnlyHint: false })] }, says: "pass" },
    { about: "none", exchanges: lists, view: { tools: [tool("a")] }, says: "The tool a has no annotations" },
    {
      about: "only a title",
      exchanges: lists,
      view: { tools: [tool("a", { title: "A" })] },
      says: "has no annotations",
    },
    {
      about: "some",
      exchanges: lists,
      view: { tools: [tool("a"), tool("b"), tool("c", { openWorldHint: true })] },
      says: "2 of 3 tools",
    },
    { about: "no tools", exchanges: lists, says: "skipped" },
  ],
  "annotations-consistent": [
    { about: "fine", exchanges: lists, view: { tools: [tool("get_item", { readOnlyHint: true })] }, says: "pass" },
    {
      about: "both",
      exchanges: lists,
      view: { tools: [tool("a", { readOnlyHint: true, destructiveHint: true })] },
      says: "both read-only and destructive",
    },
    {
      about: "a verb",
      exchanges: lists,
      view: { tools: [tool("deleteItem", { readOnlyHint: true })] },
      says: "The tool deleteItem says that it only reads",
    },
    {
      about: "a verb that writes and says so",
      exchanges: lists,
      view: { tools: [tool("delete_item", { readOnlyHint: false })] },
      says: "pass",
    },
    {
      about: "a noun",
      exchanges: lists,
      view: { tools: [tool("settings_list", { readOnlyHint: true })] },
      says: "pass",
    },
    {
      about: "a verb in another place",
      exchanges: lists,
      view: { tools: [tool("list_deploy", { readOnlyHint: true })] },
      says: "pass",
    },
    { about: "no tools", exchanges: lists, says: "skipped" },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("$about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});

import { expect, test } from "vitest";
import type { RecordedAnswer } from "../recording/recording.ts";
import { requestedWaitMs } from "./http-conversation.ts";

const arrived = { ms: 1, text: "", bytes: 0 };
const limited = { kind: "rate_limited", retry: { allowed: true, afterMs: 400 } };

test.each<[string, RecordedAnswer, number | undefined]>([
  [
    "a header",
    { ...arrived, kind: "body", http: { streamed: false, status: 429, headers: { "retry-after": "2" } } },
    2_000,
  ],
  [
    "a header of another status",
    { ...arrived, kind: "body", http: { streamed: false, status: 503, headers: { "retry-after": "2" } } },
    undefined,
  ],
  [
    "a header that asks for too much",
    { ...arrived, kind: "body", http: { streamed: false, status: 429, headers: { "retry-after": "60" } } },
    undefined,
  ],
  [
    "a fault in an error",
    { ...arrived, kind: "message", message: { error: { data: { "recourse/fault": limited } } } },
    400,
  ],
  [
    "a fault in a result",
    { ...arrived, kind: "message", message: { result: { _meta: { "recourse/fault": limited } } } },
    400,
  ],
  [
    "another fault",
    {
      ...arrived,
      kind: "message",
      message: { error: { data: { "recourse/fault": { ...limited, kind: "overloaded" } } } },
    },
    undefined,
  ],
  ["no answer", { kind: "silent", ms: 1, strays: [] }, undefined],
])("%s", (_, answer, waitMs) => {
  expect(requestedWaitMs(answer)).toBe(waitMs);
});

import { expect, it } from "vitest";
import { waitInText } from "./dialect.ts";

it.each([
  ["Rate limit exceeded. Try again in 7 seconds.", 7_000],
  ["Rate limit exceeded. Try again in 1 seconds.", 1_000],
  ["Please retry after 30 seconds.", 30_000],
  ["Please wait 5 minutes before retrying", 300_000],
  ["Please try again in 1.5s.", 1_500],
  ["Too many requests, retry in 250ms", 250],
  ["Limit resets in 2 hours", 7_200_000],
  ["Try again in about 10 mins", 600_000],
  ['{"error":"rate_limited","retry_after":30}', 30_000],
  ['{"error":"rate_limited","retryAfterMs":250}', 250],
  ["429 Too Many Requests\nRetry-After: 12", 12_000],
  ["Slow down (retry_after_seconds=3)", 3_000],
  ["retry after: 3", 3_000],
] as const)("%s: %d ms", (text, ms) => {
  expect(waitInText(text)).toBe(ms);
});

it.each([
  "Rate limit exceeded: 60 calls per minute",
  "Try again later.",
  "Retried 3 times, gave up after 30 seconds",
  "Request timed out after 30 seconds",
  "Retry-After: 2026-11-19T10:00:00Z",
  "Wait. The order has 7 items.",
  "Try the other 2 methods",
  "",
])("%s: no wait", (text) => {
  expect(waitInText(text)).toBeUndefined();
});

import { expect, test } from "vitest";
import { arrivalText } from "./run.ts";

const message = { id: 3, callId: "3", attempt: undefined, key: undefined, committed: false };

test.each([
  [
    { what: "message", message: { ...message, method: "tools/call", tool: "charge", step: "lost-502" } },
    "tools/call charge (id 3): lost-502. Carries the call out, then a gateway answers 502.",
  ],
  [
    { what: "message", message: { ...message, id: undefined, method: "notifications/x", tool: undefined, step: "ok" } },
    "notifications/x: ok",
  ],
  [
    { what: "message", message: { ...message, method: "a\u001b[31m\nb\u202e", tool: undefined, step: "ok" } },
    "a [31m b (id 3): ok",
  ],
  [{ what: "unreadable", reason: "protocol/parse_error" }, "a message that cannot be read: protocol/parse_error"],
  [{ what: "http", method: "GET", path: `/${"x".repeat(200)}` }, `GET /${"x".repeat(78)}…`],
] as const)("%j", (arrival, text) => {
  expect(arrivalText(arrival)).toBe(text);
});

import { describe, expect, it } from "vitest";
import { text } from "./dialect.ts";

const failedWith = (words: string) =>
  text.decode({ result: { content: [{ type: "text", text: words }], isError: true } });

describe("phrases", () => {
  it.each([
    ["Rate limit reached", "core/rate_limited"],
    ["rate-limited, slow down", "core/rate_limited"],
    ["Error 429", "core/rate_limited"],
    ["HTTP 429 Too Many Requests", "core/rate_limited"],
    ["The quota is exhausted", "core/quota_exhausted"],
    ["insufficient_scope", "auth/insufficient_scope"],
    ["401 Unauthorized", "auth/unauthorized"],
    ["expired token", "auth/unauthorized"],
    ["403 Forbidden", "auth/access_denied"],
    ["Permission denied", "auth/access_denied"],
    ["The request timed out", "core/timeout"],
    ["Gateway timeout", "core/timeout"],
    ["deadline exceeded", "core/timeout"],
    ["The model is overloaded", "core/overloaded"],
    ["The service is temporarily unavailable", "core/unavailable"],
    ["It already exists", "core/conflict"],
    ["not implemented", "core/unsupported"],
    ["The run was canceled", "core/cancelled"],
    ["Missing required argument", "core/missing_field"],
    ["status: 404", "core/not_found"],
    ["No such table", "core/not_found"],
    ["Invalid date", "core/validation_failed"],
    ["count must be positive", "core/validation_failed"],
    ["It broke", "tool/failed"],
    ["Order 404 was shipped twice", "tool/failed"],
    ["Unexpected end", "tool/failed"],
    ["An unknown error occurred", "tool/failed"],
    ["Authentication is required", "auth/unauthorized"],
    ["expected a number, got a string", "core/validation_failed"],
  ])("%s: %s", (words, reason) => {
    expect(failedWith(words)?.reason).toBe(reason);
  });

  it("searches only the start of the text", () => {
    expect(failedWith(`${"x ".repeat(300)}rate limit`)?.reason).toBe("tool/failed");
  });
});

it("is a guess with a possible effect, and never offers to repeat the call", () => {
  for (const words of ["Rate limit reached, retry after 5 s", "unavailable, please try again", "timeout", "x"]) {
    const fault = failedWith(words);
    expect(fault).toMatchObject({ basis: "guessed", effect: "possible" });
    expect(fault?.retry).toBeUndefined();
    expect(fault?.recourse.map((move) => move.do)).not.toContain("retry");
  }
});

it("quotes the text", () => {
  expect(failedWith("Order 77 not found")?.quote).toEqual({ text: "Order 77 not found", from: "peer" });
});

it("reads only failed results", () => {
  expect(text.decode({ result: { content: [{ type: "text", text: "rate limit" }] } })).toBeUndefined();
  expect(text.decode({ error: { code: 1, message: "rate limit" } })).toBeUndefined();
  expect(text.decode("rate limit")).toBeUndefined();
});

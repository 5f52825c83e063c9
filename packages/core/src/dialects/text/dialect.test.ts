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

  it.each([
    "cancelled",
    "Canceled.",
    "Aborted",
    "CANCELLED: the dialog was closed",
    "Error: canceled",
    "AbortError: aborted",
    "Error executing tool cancel_order: cancelled",
    "MCP error -32000: Cancelled by the user",
    "canceled by user",
    "Cancelled by cancel scope 7f3a",
    "User cancelled",
    "The user aborted a request.",
    "The user cancelled the operation.",
    "The user cancelled the sign-in. Ask them whether to try again.",
    "The call was cancelled before it ended.",
    "The tool call has been cancelled.",
    "Tool execution cancelled",
    'The tool "create_invoice" was cancelled: "the user asked for it".',
    "Task cancelled",
    "A task was canceled.",
    "The job was cancelled",
    "The request was aborted.",
    "Request cancelled by client",
    "net/http: request canceled",
    "rpc error: code = Canceled desc = context canceled",
    "1 CANCELLED: Cancelled on client",
    "This operation was aborted",
    "AbortError: The operation is aborted.",
    "signal is aborted without reason",
    "Fetch is aborted",
  ])("%s: the call was cancelled", (words) => {
    expect(failedWith(words)?.reason).toBe("core/cancelled");
  });

  it.each([
    "This order cannot be cancelled.",
    "Order 7 was shipped yesterday and cannot be cancelled.",
    "Order 7 is already cancelled.",
    "Order 7 was cancelled by the user.",
    "The booking was cancelled by the host",
    "The subscription was not cancelled",
    "Cancelled orders cannot be changed.",
    "Status: cancelled",
    "The user cancelled the order.",
    "The call cannot be cancelled",
    "The request was not cancelled.",
    "The task is already cancelled",
    "This task has already been aborted",
    "The operation could not be aborted",
    "The leave request was cancelled",
    "Your leave-request was cancelled",
    "ERROR: current transaction is aborted, commands ignored until end of transaction block",
    "npm error npx canceled due to missing packages",
  ])("%s: something else than the call", (words) => {
    expect(failedWith(words)?.reason).toBe("tool/failed");
  });

  it("reads what else a text about a cancelled thing says", () => {
    expect(failedWith("Cannot be cancelled: order 7 not found")?.reason).toBe("core/not_found");
    expect(failedWith("A cancelled order is not supported")?.reason).toBe("core/unsupported");
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

it("tells the wait that the text names", () => {
  const moves = (words: string) => failedWith(words)?.recourse;
  expect(moves("Rate limit exceeded. Try again in 7 seconds.")).toEqual([{ do: "refresh", afterMs: 7_000 }]);
  expect(moves("Rate limit exceeded.")).toEqual([{ do: "refresh" }]);
  expect(moves("No such order. Try again in 7 seconds.")).toEqual([{ do: "choose_another" }]);
});

it("quotes the text", () => {
  expect(failedWith("Order 77 not found")?.quote).toEqual({ text: "Order 77 not found", from: "peer" });
});

it("reads only failed results", () => {
  expect(text.decode({ result: { content: [{ type: "text", text: "rate limit" }] } })).toBeUndefined();
  expect(text.decode({ error: { code: 1, message: "rate limit" } })).toBeUndefined();
  expect(text.decode("rate limit")).toBeUndefined();
});

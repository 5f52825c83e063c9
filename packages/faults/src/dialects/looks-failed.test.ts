import { describe, expect, it } from "vitest";
import { failureSign, looksFailed } from "./looks-failed.ts";

const text = (body: string) => ({ content: [{ type: "text", text: body }] });

describe("a result without isError", () => {
  it.each([
    ["success: false as data", { content: [], structuredContent: { success: false } }],
    ["ok: false as data", { structuredContent: { ok: false, error: "x" } }],
    ["success: false as text", text('{"success":false,"message":"no"}')],
  ])("has a flag: %s", (_what, result) => {
    expect(failureSign(result)).toBe("flag");
    expect(looksFailed(result)).toBe(true);
  });

  it.each([
    ["an error as data", { structuredContent: { error: { code: 1 } } }],
    ["an error as text", text('{"error":"no"}')],
    ["a status of its own", { structuredContent: { status: "failed" } }],
  ])("has a hint: %s", (_what, result) => {
    expect(failureSign(result)).toBe("hint");
    expect(looksFailed(result)).toBe(true);
  });

  it.each([
    ["a success", { structuredContent: { success: true } }],
    ["a result with isError", { isError: true, structuredContent: { success: false } }],
    ["a sentence", text('It said {"success":false}.')],
    ["text that is not JSON", text('{"success":false')],
    ["a long text", text(`{"success":false,"log":"${"x".repeat(2_000)}"}`)],
    ["several blocks", { content: [...text('{"success":false}').content, { type: "text", text: "more" }] }],
    ["a list", { structuredContent: [{ success: false }] }],
    ["nothing", undefined],
  ])("has no sign: %s", (_what, result) => {
    expect(failureSign(result)).toBeUndefined();
  });
});

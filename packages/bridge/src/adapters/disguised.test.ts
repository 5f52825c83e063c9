import { describe, expect, it } from "vitest";
import { isDisguised } from "./disguised.ts";

const text = (body: string) => ({ content: [{ type: "text", text: body }] });

describe("isDisguised", () => {
  it.each([
    ["success: false as data", { content: [], structuredContent: { success: false } }],
    ["ok: false as data", { structuredContent: { ok: false, error: "x" } }],
    ["success: false as text", text('{"success":false,"message":"no"}')],
  ])("finds %s", (_what, result) => {
    expect(isDisguised(result)).toBe(true);
  });

  it.each([
    ["a success", { structuredContent: { success: true } }],
    ["a marked failure", { isError: true, structuredContent: { success: false } }],
    ["prose", text('It said {"success":false}.')],
    ["text that is no JSON", text('{"success":false')],
    ["a long text", text(`{"success":false,"log":"${"x".repeat(2_000)}"}`)],
    ["several blocks", { content: [...text('{"success":false}').content, { type: "text", text: "more" }] }],
    ["a list", { structuredContent: [{ success: false }] }],
    ["nothing", undefined],
  ])("leaves %s alone", (_what, result) => {
    expect(isDisguised(result)).toBe(false);
  });
});

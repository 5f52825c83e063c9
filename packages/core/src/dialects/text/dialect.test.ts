import { rowsOf } from "@recourse/test-kit/rows";
import { describe, expect, it } from "vitest";
import { text } from "./dialect.ts";

const failedWith = (words: string) =>
  text.decode({ result: { content: [{ type: "text", text: words }], isError: true } });

describe("phrases", () => {
  it.each(rowsOf<[words: string, reason: string]>(import.meta.url, "phrases"))("%s: %s", (words, reason) => {
    expect(failedWith(words)?.reason).toBe(reason);
  });

  it.each(rowsOf<[words: string]>(import.meta.url, "cancelled"))("%s: the call was cancelled", (words) => {
    expect(failedWith(words)?.reason).toBe("core/cancelled");
  });

  it.each(rowsOf<[words: string]>(import.meta.url, "other"))("%s: something else than the call", (words) => {
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

import { describe, expect, it } from "vitest";
import { printable, printableLine, withoutForeignSequences } from "./printable.ts";

describe("printable", () => {
  it("shows control characters and direction marks", () => {
    expect(printable("a\u001b[2Jb\u0007\u009b31m\u202e\r\n\tc")).toBe(
      "a\\u001b[2Jb\\u0007\\u009b31m\\u202e\\u000d\n\tc",
    );
    expect(printableLine("a\n\tb")).toBe("a\\n\\tb");
  });
});

describe("withoutForeignSequences", () => {
  it("lets styles and the redrawn line through, and nothing else", () => {
    const own = "\u001b[31mred\u001b[39m\r\u001b[2Kprogress";
    expect(withoutForeignSequences(own)).toBe(own);
    expect(withoutForeignSequences("a\u001b]0;title\u0007\u001b[2J\rb")).toBe(
      "a\\u001b]0;title\\u0007\\u001b[2J\\u000db",
    );
  });

  it("keeps the meaning of JSON", () => {
    const value = { text: "\u009b31m \u202e \u007f" };
    const safe = withoutForeignSequences(JSON.stringify(value));
    expect(safe).not.toContain("\u009b");
    expect(JSON.parse(safe)).toEqual(value);
  });
});

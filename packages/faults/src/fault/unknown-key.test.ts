import { describe, expect, it } from "vitest";
import { unknownKey } from "./unknown-key.ts";

describe("unknownKey", () => {
  it("points to the parent and names the nearest key", () => {
    expect(unknownKey(["filter", 0], "limt", ["offset", "limit", "limits"])).toEqual({
      pointer: "/filter/0",
      rule: "unknown",
      suggestion: "limit",
    });
  });

  it("suggests nothing when no key is near", () => {
    expect(unknownKey([], "password", ["limit"])).toStrictEqual({ pointer: "", rule: "unknown" });
    expect(unknownKey(["a/b", "c~d"], "x", [])).toStrictEqual({ pointer: "/a~1b/c~0d", rule: "unknown" });
  });

  it("never shows the key itself", () => {
    expect(JSON.stringify(unknownKey([], "hunter2hunter2", ["hunter3hunter2"]))).not.toContain("hunter2hunter2");
  });
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { isSameText } from "./binding.ts";

it("compares texts as === does", () => {
  const anyText = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      expect(isSameText(one, other)).toBe(one === other);
      expect(isSameText(one, `${one}`)).toBe(true);
      expect(isSameText(`${one}a${other}`, `${one}b${other}`)).toBe(false);
    }),
  );
});

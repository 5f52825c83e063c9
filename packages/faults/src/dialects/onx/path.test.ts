import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanPointer } from "../../fault/pointer.ts";
import { fromPath, toPath } from "./path.ts";

describe("dotted paths", () => {
  it.each([
    ["order.customer.email", "/order/customer/email"],
    ["order.items.0.sku", "/order/items/0/sku"],
    ["email", "/email"],
    ['meta["a.b"].c', "/meta/a.b/c"],
    ['["a[0]"]', "/a[0]"],
    ["", ""],
  ])("%j is %j and back", (path, pointer) => {
    expect(fromPath(path)).toBe(pointer);
    expect(toPath(pointer)).toBe(path);
  });

  it.each([
    ["items[0].sku", "/items/0/sku"],
    ["/order/email", "/order/email"],
    ["a..b.", "/a/b"],
    ["[[", ""],
    ["x~y", "/x~0y"],
  ])("%j is read as %j", (path, pointer) => {
    expect(fromPath(path)).toBe(pointer);
  });

  it("brings back every pointer that a fault can hold", () => {
    const token = fc.string({ unit: fc.constantFrom(..."abz09_$@.:[]-é"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(token, { maxLength: 6 }), (tokens) => {
        const pointer = cleanPointer(tokens.map((name) => `/${name}`).join(""));
        expect(fromPath(toPath(pointer))).toBe(pointer);
      }),
    );
  });

  it("looks at no more than a pointer can hold", () => {
    expect(fromPath("a.".repeat(100_000)).length).toBe(1_024);
  });
});

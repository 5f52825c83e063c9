import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanPointer } from "../../fault/clean.ts";
import { fromDottedPath, toDottedPath } from "./encode.ts";

describe("dotted paths", () => {
  it.each([
    ["order.customer.email", "/order/customer/email"],
    ["order.items.0.sku", "/order/items/0/sku"],
    ["email", "/email"],
    ['meta["a.b"].c', "/meta/a.b/c"],
    ['["a[0]"]', "/a[0]"],
    ["", ""],
  ])("%j is %j and back", (path, pointer) => {
    expect(fromDottedPath(path)).toBe(pointer);
    expect(toDottedPath(pointer)).toBe(path);
  });

  it.each([
    ["items[0].sku", "/items/0/sku"],
    ["/order/email", "/order/email"],
    ["a..b.", "/a/b"],
    ["[[", ""],
    ["x~y", "/x~0y"],
  ])("%j is read as %j", (path, pointer) => {
    expect(fromDottedPath(path)).toBe(pointer);
  });

  it("convert every pointer of a fault and back", () => {
    const token = fc.string({ unit: fc.constantFrom(..."abz09_$@.:[]-é"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(token, { maxLength: 6 }), (tokens) => {
        const pointer = cleanPointer(tokens.map((name) => `/${name}`).join(""));
        expect(fromDottedPath(toDottedPath(pointer))).toBe(pointer);
      }),
    );
  });

  it("are cut at the maximal length of a pointer", () => {
    expect(fromDottedPath("a.".repeat(100_000)).length).toBe(1_024);
  });
});

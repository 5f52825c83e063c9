import { describe, expect, it } from "vitest";
import { classNameOf, classNamesOf, isInstance, peek, peekInteger, peekList, peekString } from "./peek.ts";

const thrower = () => {
  throw new Error("hostile");
};
const trap = new Proxy({}, new Proxy({}, { get: () => thrower }));
const revoked = Proxy.revocable({}, {});
revoked.revoke();

/** An object whose prototype that has `a` is `steps` away. */
function inherits(steps: number): object {
  let at: object = { a: "far" };
  for (let step = 0; step < steps; step++) at = Object.create(at) as object;
  return at;
}

describe("peek", () => {
  it("reads own and inherited data", () => {
    expect(peek({ a: 1 }, "a")).toBe(1);
    expect(peek({ a: undefined }, "a")).toBeUndefined();
    expect(peek(Object.create({ a: 1 }), "a")).toBe(1);
    expect(peek(Object.create(null), "a")).toBeUndefined();
    expect(peek(["x"], 0)).toBe("x");
    expect(peek({ [Symbol.for("s")]: 1 }, Symbol.for("s"))).toBe(1);
    expect(
      peek(
        Object.assign(() => 1, { a: 1 }),
        "a",
      ),
    ).toBe(1);
    expect(peek(new TypeError("x"), "name")).toBe("TypeError");
  });

  it("reads eight objects of a chain", () => {
    expect(peek(inherits(7), "a")).toBe("far");
    expect(peek(inherits(8), "a")).toBeUndefined();
  });

  it("takes the nearest property, even if it is a getter", () => {
    const near = Object.create({ a: "far" }, { a: { get: thrower } }) as object;
    expect(peek(near, "a")).toBeUndefined();
  });

  it("never calls a getter", () => {
    const called: string[] = [];
    const value = {
      get a() {
        called.push("a");
        return 1;
      },
    };
    expect(peek(value, "a")).toBeUndefined();
    expect(peek(Object.create(value), "a")).toBeUndefined();
    expect(called).toEqual([]);
  });

  it.each([[null], [undefined], ["text"], [7], [7n], [true], [Symbol("s")]])("knows nothing about %s", (value) => {
    expect(peek(value, "length")).toBeUndefined();
    expect(peek(value, "constructor")).toBeUndefined();
  });

  it("returns nothing for a hostile or revoked proxy", () => {
    expect(peek(trap, "a")).toBeUndefined();
    expect(peek(revoked.proxy, "a")).toBeUndefined();
    expect(peek(Object.create(trap), "a")).toBeUndefined();
    expect(peek(Object.setPrototypeOf({}, revoked.proxy), "a")).toBeUndefined();
  });

  it("ends on an endless chain of prototypes", () => {
    const endless: object = new Proxy({}, { getPrototypeOf: () => endless });
    expect(peek(endless, "a")).toBeUndefined();
  });
});

it.each([
  ["x", "x"],
  ["", ""],
  [1, undefined],
  [null, undefined],
  [Object("x"), undefined],
])("peekString: %s is %s", (a, found) => {
  expect(peekString({ a }, "a")).toBe(found);
});

it.each([
  [1, 1],
  [-0, -0],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  [1.5, undefined],
  [Number.NaN, undefined],
  [Number.MAX_SAFE_INTEGER + 1, undefined],
  ["1", undefined],
  [1n, undefined],
])("peekInteger: %s is %s", (a, found) => {
  expect(peekInteger({ a }, "a")).toBe(found);
});

it("classNameOf reads the name of the class", () => {
  class Special extends Error {}
  const hidden = { constructor: Object.defineProperty(() => 1, "name", { get: thrower }) };
  expect(classNameOf(new Special())).toBe("Special");
  expect(classNameOf({})).toBe("Object");
  expect(classNameOf(hidden)).toBeUndefined();
  expect(classNameOf(Object.create(null))).toBeUndefined();
  expect(classNameOf("text")).toBeUndefined();
  expect(classNameOf({ constructor: { name: 7 } })).toBeUndefined();
});

describe("peekList", () => {
  it("reads up to the maximum", () => {
    expect(peekList({ a: [1, 2, 3] }, "a", 5)).toEqual([1, 2, 3]);
    expect(peekList({ a: [1, 2, 3] }, "a", 3)).toEqual([1, 2, 3]);
    expect(peekList({ a: [1, 2, 3] }, "a", 2)).toEqual([1, 2]);
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["a text", "text"],
    ["an object", {}],
    ["a negative length", { length: -1 }],
    ["half a length", { length: 1.5 }],
    ["a length that is no number", { length: "2" }],
    ["a hostile proxy", trap],
    ["a getter", Object.defineProperty({}, "length", { get: thrower })],
  ])("returns nothing for %s", (_, a) => {
    expect(peekList({ a }, "a", 5)).toEqual([]);
  });

  it("calls no getter of an element", () => {
    const a = Object.defineProperty(["x", "y"], 1, { get: thrower });
    expect(peekList({ a }, "a", 5)).toEqual(["x", undefined]);
    expect(peekList({ a: { length: 1e9 } }, "a", 2)).toEqual([undefined, undefined]);
  });
});

describe("classNamesOf", () => {
  class Base extends Error {}
  class Derived extends Base {}

  it("names the class and what it extends, the nearest first", () => {
    expect(classNamesOf(new Derived())).toEqual(["Derived", "Base", "Error", "Object"]);
    expect(classNamesOf(Object.create(null))).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["a text", "text"],
    ["a hostile proxy", trap],
    ["a revoked proxy", revoked.proxy],
  ])("returns nothing for %s", (_, value) => {
    expect(classNamesOf(value)).toEqual([]);
  });

  it("calls no getter, and ends", () => {
    const hostile = Object.defineProperty({}, "constructor", { get: thrower });
    expect(classNamesOf(hostile)).toEqual(["Object"]);
    const long = Array.from({ length: 10_000 }).reduce<object>((at) => Object.create(at) as object, {});
    expect(classNamesOf(long)).toEqual([]);
  });
});

describe("isInstance", () => {
  it("is instanceof that no proxy can break", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect([new TypeError("x"), {}, 7, proxy].map((value) => isInstance(value, Error))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

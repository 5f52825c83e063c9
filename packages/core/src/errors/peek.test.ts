import { expectCost } from "@recourse/test-kit/yardstick";
import { describe, expect, it } from "vitest";
import { peek, peekInteger, peekList, readClassName, readClassNames, snapshot } from "./peek.ts";

describe("peek", () => {
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

  it("readClassName reads the name of the class", () => {
    class Special extends Error {}
    const hidden = { constructor: Object.defineProperty(() => 1, "name", { get: thrower }) };
    expect(readClassName(new Special())).toBe("Special");
    expect(readClassName({})).toBe("Object");
    expect(readClassName(hidden)).toBeUndefined();
    expect(readClassName(Object.create(null))).toBeUndefined();
    expect(readClassName("text")).toBeUndefined();
    expect(readClassName({ constructor: { name: 7 } })).toBeUndefined();
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
      expect(readClassNames(new Derived())).toEqual(["Derived", "Base", "Error", "Object"]);
      expect(readClassNames(Object.create(null))).toEqual([]);
    });

    it.each<[string, unknown]>([
      ["undefined", undefined],
      ["a text", "text"],
      ["a hostile proxy", trap],
      ["a revoked proxy", revoked.proxy],
    ])("returns nothing for %s", (_, value) => {
      expect(readClassNames(value)).toEqual([]);
    });

    it("calls no getter, and ends", () => {
      const hostile = Object.defineProperty({}, "constructor", { get: thrower });
      expect(readClassNames(hostile)).toEqual(["Object"]);
      const long = Array.from({ length: 10_000 }).reduce<object>((at) => Object.create(at) as object, {});
      expect(readClassNames(long)).toEqual([]);
    });
  });
});

describe("snapshot", () => {
  const thrower = () => {
    throw new Error("hostile");
  };

  /** An object nested so many levels deep. */
  const nested = (levels: number): unknown => (levels === 0 ? "end" : { a: nested(levels - 1) });

  describe("snapshot", () => {
    it.each([["text"], [""], [0], [Number.NaN], [true], [false], [null]])("keeps %s", (value) => {
      expect(snapshot(value)).toBe(value);
    });

    it.each([[undefined], [7n], [Symbol("s")], [() => 1], [class {}]])("leaves %s out", (value) => {
      expect(snapshot(value)).toBeUndefined();
      expect(snapshot({ a: 1, b: value })).toEqual({ a: 1 });
      expect(Object.keys(snapshot({ a: 1, b: value }) as object)).toEqual(["a"]);
    });

    it("copies objects and lists, not sharing them", () => {
      const value = { list: [1, { b: "x" }, null], c: { d: true } };
      const copy = snapshot(value) as typeof value;
      expect(copy).toEqual(value);
      expect(copy).not.toBe(value);
      expect(copy.list).not.toBe(value.list);
      expect(copy.c).not.toBe(value.c);
    });

    it("copies own data only: no getters, symbols, prototypes", () => {
      const value = Object.create(
        { inherited: 1 },
        {
          own: { value: 1 },
          got: { get: thrower, enumerable: true },
          [Symbol.for("s")]: { value: 1, enumerable: true },
          ["__proto__"]: { value: { polluted: true }, enumerable: true },
        },
      ) as object;
      const copy = snapshot(value) as Record<string, unknown>;
      expect(copy).toEqual({ own: 1 });
      expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
      expect(copy["polluted"]).toBeUndefined();
    });

    it("runs neither toJSON nor an iterator", () => {
      const list = Object.assign([1], { toJSON: thrower, [Symbol.iterator]: thrower });
      expect(snapshot({ list, toJSON: thrower })).toEqual({ list: [1] });
    });

    it("copies twelve levels", () => {
      expect(snapshot(nested(12))).toEqual(nested(12));
      expect(JSON.stringify(snapshot(nested(13)))).toBe(JSON.stringify(nested(12)).replace('{"a":"end"}', "{}"));
    });

    it("copies a hundred members", () => {
      const object = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, index]));
      expect(Object.keys(snapshot(object) as object)).toHaveLength(100);
      expect(snapshot(object)).toHaveProperty("k99");
      expect(snapshot(object)).not.toHaveProperty("k100");
      expect(snapshot(Array.from({ length: 101 }, () => 1))).toHaveLength(100);
      expect(snapshot(Array.from({ length: 100 }, () => 1))).toHaveLength(100);
    });

    it("returns nothing if reading throws", () => {
      const revoked = Proxy.revocable([], {});
      revoked.revoke();
      expect(snapshot(revoked.proxy)).toBeUndefined();
      expect(snapshot(new Proxy({}, { ownKeys: thrower }))).toBeUndefined();
      expect(snapshot({ a: 1, b: new Proxy({}, { ownKeys: thrower }) })).toEqual({ a: 1 });
      expect(snapshot(new Proxy({ a: 1 }, { getOwnPropertyDescriptor: thrower }))).toBeUndefined();
      expect(snapshot(new Proxy([1], { getOwnPropertyDescriptor: thrower }))).toEqual([]);
    });

    it("ends soon on a value that refers to itself many times", async () => {
      const circle: Record<string, unknown> = { name: "circle" };
      for (let index = 0; index < 100; index++) circle[`self${index}`] = circle;
      const list: unknown[] = [];
      for (let index = 0; index < 100; index++) list.push(list);
      expect(snapshot(circle)).toMatchObject({ name: "circle" });
      expect(Array.isArray(snapshot(list))).toBe(true);
      const large = Array.from({ length: 1_000 }, () => ({ name: "item" }));
      await expectCost({
        work: () => [snapshot(circle), snapshot(list)],
        yardstick: () => snapshot(large),
        atMost: 50,
      });
    });

    it("copies all of a large but honest fault", () => {
      const issues = Array.from({ length: 20 }, (_, index) => ({
        pointer: `/a/${index}`,
        rule: "custom",
        expected: "x",
      }));
      const params = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, Array(10).fill("x")]));
      const fault = (cause?: unknown): unknown => ({ issues, params, ...(cause === undefined ? {} : { cause }) });
      const deep = fault(fault(fault(fault())));
      expect(snapshot(deep)).toEqual(deep);
    });
  });
});

import { describe, expect, it } from "vitest";
import { snapshot } from "./snapshot.ts";

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

  it("copies twelve levels of lists", () => {
    const lists = (levels: number): unknown => (levels === 0 ? "end" : [lists(levels - 1)]);
    expect(snapshot(lists(12))).toEqual(lists(12));
    expect(JSON.stringify(snapshot(lists(13)))).toBe(JSON.stringify(lists(12)).replace('"end"', "null"));
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

  it("ends soon on a value that refers to itself many times", () => {
    const circle: Record<string, unknown> = { name: "circle" };
    for (let index = 0; index < 100; index++) circle[`self${index}`] = circle;
    const list: unknown[] = [];
    for (let index = 0; index < 100; index++) list.push(list);
    const before = performance.now();
    expect(snapshot(circle)).toMatchObject({ name: "circle" });
    expect(Array.isArray(snapshot(list))).toBe(true);
    expect(performance.now() - before).toBeLessThan(1_000);
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

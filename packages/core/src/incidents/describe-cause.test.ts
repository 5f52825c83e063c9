import { describe, expect, it } from "vitest";
import { conflict } from "../reasons/library/core.ts";
import { incidentCause, readThrown } from "./describe-cause.ts";

describe("readThrown", () => {
  it("reads causes and members, each once, up to a bound", () => {
    const inner = new RangeError("inner");
    const whole = new AggregateError([inner, inner, new Error("a", { cause: inner })], "whole", { cause: inner });
    const { name, errors, errorCount, cause } = readThrown(whole);
    expect([name, errorCount, errors.map(({ message }) => message), cause]).toEqual([
      "AggregateError",
      3,
      ["inner", "a"],
      undefined,
    ]);
    const many = new AggregateError(Array.from({ length: 500 }, (_, index) => new Error(`e${index}`)));
    expect(readThrown(many)).toMatchObject({ errorCount: 500, errors: { length: 10 } });
    let nested: unknown = new Error("end");
    for (let depth = 0; depth < 1_000; depth += 1) nested = new AggregateError([nested, new Error("x")]);
    expect(JSON.stringify(readThrown(nested)).length).toBeLessThan(100_000);
  });

  it("reads fields of well-known errors, and none of the others", () => {
    const error = Object.assign(new Error("x"), {
      code: "23505",
      table: "orders",
      issues: [{ path: ["a"] }],
      request: { headers: { authorization: "x" } },
      toJSON: () => expect.unreachable(),
    });
    expect(readThrown(error).fields).toEqual({ code: "23505", table: "orders", issues: '[{"path":["a"]}]' });
    const own = conflict({}, { quote: { text: "taken", from: "upstream" } });
    expect(readThrown(own).fields["fault"]).toContain('"kind":"conflict"');
    expect(readThrown(conflict()).fields).toEqual({});
  });

  it.each([
    [undefined, "undefined", "undefined"],
    [7, "number", "7"],
    [Symbol("s"), "symbol", "Symbol(s)"],
    [{ a: 1, apiKey: "k" }, "object", '{"a":1,"apiKey":"[removed]"}'],
    [
      new (class Odd {
        b = 2;
      })(),
      "Odd",
      '{"b":2}',
    ],
    [["a"], "Array", '["a"]'],
    [{ long: "x".repeat(10_000) }, "object", `{"long":"${"x".repeat(1_991)}…`],
  ])("reads type and content of what is not an error: %s", (thrown, name, message) => {
    expect(readThrown(thrown)).toMatchObject({ name, message, stack: `thrown ${name}: ${message}` });
  });
});

it("survives members, causes and fields that cannot be read", () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  const error = Object.assign(new Error("odd"), { errors: proxy, cause: proxy, data: proxy });
  expect(readThrown(error)).toMatchObject({ message: "odd", errors: [], fields: { data: "(cannot be read)" } });
});

it("incidentCause tells an undefined that was thrown from nothing", () => {
  expect(readThrown(incidentCause(undefined))).toMatchObject({
    name: "ThrownUndefined",
    message: "undefined was thrown",
  });
  expect(incidentCause(null)).toBe(null);
});

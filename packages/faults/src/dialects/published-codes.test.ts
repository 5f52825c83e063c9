import { describe, expect, it } from "vitest";
import { defineReasons } from "../index.ts";
import { checkPublishedCodes, closient, extendDialect, type FixedValue, onx } from "./index.ts";

const shop = defineReasons("shop", {
  sold_out: { kind: "conflict", text: "It is sold out." },
  closed: { kind: "overloaded", text: "The shop is closed." },
});
const acme = (soldOut: number, retired: readonly number[] = []) =>
  extendDialect(closient, { name: "acme", codes: [{ code: soldOut, reason: shop.sold_out }], retired });
const published = { ...acme(-32250).codes.published() };

describe("published codes", () => {
  it("are unchanged", () => {
    expect(checkPublishedCodes(acme(-32250), published)).toEqual({ problems: [], added: {} });
  });

  it("must not be renumbered", () => {
    expect(checkPublishedCodes(acme(-32251), published)).toEqual({
      problems: [
        {
          code: "-32250",
          problem: "renumbered",
          message: "acme: code -32250 was published for shop/sold_out, which is now -32251.",
        },
      ],
      added: { "-32251": "shop/sold_out" },
    });
  });

  it("must not be reused", () => {
    const other = extendDialect(closient, { name: "acme", codes: [{ code: -32250, reason: shop.closed }] });
    expect(checkPublishedCodes(other, published).problems).toEqual([
      {
        code: "-32250",
        problem: "reused",
        message: "acme: code -32250 was published for shop/sold_out and now means shop/closed.",
      },
    ]);
  });

  it("must not be removed", () => {
    expect(checkPublishedCodes({ ...acme(-32250), codes: closient.codes }, published).problems).toEqual([
      { code: "-32250", problem: "removed", message: "acme: code -32250 was published for shop/sold_out and is gone." },
    ]);
  });

  it("may become more", () => {
    expect(checkPublishedCodes(acme(-32250), closient.codes.published())).toEqual({
      problems: [],
      added: { "-32250": "shop/sold_out" },
    });
  });

  it("are compared by nothing that an object inherits", () => {
    const names = { toString: "a/b", constructor: "c/d" };
    const dialect = { name: "own", codes: { published: () => ({}) } };
    expect(checkPublishedCodes(dialect, names).problems.map(({ problem }) => problem)).toEqual(["removed", "removed"]);
    const named = { name: "own", codes: { published: () => ({ valueOf: "a/b" }) } };
    expect(checkPublishedCodes(named, { toString: "a/b" })).toMatchObject({ problems: [{ problem: "renumbered" }] });
  });

  it("are not given out again once they are retired", () => {
    expect(() => acme(-32250, [-32250])).toThrow("was retired");
  });
});

describe("codes with one number", () => {
  const faults = defineReasons("depot", {
    a: { kind: "conflict", text: "A." },
    b: { kind: "conflict", text: "B." },
  });
  const shared = (...fixed: readonly (Readonly<Record<string, FixedValue>> | undefined)[]) =>
    extendDialect(onx, {
      name: "depot",
      codes: fixed.map((members, at) => ({
        code: 4900,
        reason: at === 0 ? faults.a : faults.b,
        ...(members && { fixed: members }),
      })),
    });

  it.each([
    [{ p: "x" }, { q: "x" }],
    [{ p: 1 }, { p: "1" }],
    [{ p: "x y" }, { p: "x", q: "y" }],
    [{ p: true }, { p: "true" }],
    [undefined, { p: "x" }],
  ])("are all published: %j and %j", (one, other) => {
    const own = Object.values(shared(one, other).codes.published()).filter((reason) => reason.startsWith("depot/"));
    expect(own).toEqual(["depot/a", "depot/b"]);
  });

  it("are published with the members that tell them apart, in any order", () => {
    const key = '4900 {"p":"x","q":1}';
    expect(shared({ p: "x", q: 1 }).codes.published()).toHaveProperty([key], "depot/a");
    expect(shared({ q: 1, p: "x" }).codes.published()).toHaveProperty([key], "depot/a");
  });

  it.each([[{ p: "x" }], [undefined]])("keep theirs when another joins them: %j", (first) => {
    const alone = shared(first).codes.published();
    expect(checkPublishedCodes(shared(first, { p: "z" }), alone)).toEqual({
      problems: [],
      added: { '4900 {"p":"z"}': "depot/b" },
    });
  });
});

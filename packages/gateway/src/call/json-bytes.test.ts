import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eachMember, elementsOf, isTextAt, membersOf, type Span, skipValue, TOO_DEEP, valuesOf } from "./json-bytes.ts";

const textAt = (bytes: Buffer, { start, end }: Span) => bytes.toString("utf8", start, end);

function visited(bytes: Buffer): [key: string, value: string][] {
  const found: [string, string][] = [];
  eachMember(bytes, 0, (start, end, value) => {
    found.push([JSON.parse(`"${bytes.toString("utf8", start, end)}"`), textAt(bytes, value)]);
    return true;
  });
  return found;
}

describe("skipValue", () => {
  it("ends after a value of the allowed depth, and says when it is nested deeper", () => {
    const ends = (text: string, maxDepth: number) => skipValue(Buffer.from(text), 0, maxDepth);
    expect(ends("[[]]", 2)).toBe(4);
    expect(ends('[{"a":"[[["}]', 2)).toBe(13);
    for (const text of ["[[[]]]", '[{"a":[]}]']) {
      expect(ends(text, 2)).toBe(TOO_DEEP);
      expect(ends(text, 3)).toBe(text.length);
    }
    expect(ends("7,", 0)).toBe(1);
  });
});

describe("eachMember", () => {
  it("agrees with JSON.parse on any object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), fc.nat(3), (object, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        const read = visited(Buffer.from(text)).map(([key, value]) => [key, JSON.parse(value)]);
        expect(read).toEqual(Object.entries(JSON.parse(text) as object));
      }),
    );
  });

  it("finds the end of a long string, whether its quotation marks are near or far", () => {
    const piece = fc.constantFrom('"', "\\", "ab", "}", "x".repeat(20), "y".repeat(70));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
        const long = JSON.stringify(pieces.join(""));
        expect(visited(Buffer.from(`{"a":${long},"b":[${long}],"c":1}`))).toEqual([
          ["a", long],
          ["b", `[${long}]`],
          ["c", "1"],
        ]);
        // Without its last mark it has no end.
        expect(eachMember(Buffer.from(`{"a":${long.slice(0, -1)}`), 0, () => true)).toBe(-1);
      }),
    );
  });

  it("ends on any bytes", () => {
    const piece = fc.constantFrom("{", "}", "[", "]", '"', "\\", ",", ":", " ", "a", "1");
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const bytes = Buffer.from(`{${pieces.join("")}`);
        expect(eachMember(bytes, 0, () => true)).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});

describe("membersOf", () => {
  it("finds the members by their names, also by escaped ones", () => {
    const bytes = Buffer.from('{"a":1,"\\u0062":{"a":2}}');
    const found = [...(membersOf(bytes, 0) ?? [])].map(([name, span]) => [name, textAt(bytes, span)]);
    expect(found).toEqual([
      ["a", "1"],
      ["b", '{"a":2}'],
    ]);
  });

  it.each(['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"a":1', "[]", "1", ""])("finds none in %s", (text) => {
    expect(membersOf(Buffer.from(text), 0)).toBeUndefined();
  });
});

describe("elementsOf", () => {
  const elements = (text: string) => {
    const bytes = Buffer.from(text);
    const found: string[] = [];
    const all = elementsOf(bytes, 0);
    let next = all.next();
    for (; next.done !== true; next = all.next()) found.push(textAt(bytes, next.value));
    return { found, isArray: next.value };
  };

  it("agrees with JSON.parse on any array", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(3), (array, indent) => {
        const text = JSON.stringify(array, undefined, indent);
        const { found, isArray } = elements(text);
        expect(found.map((element) => JSON.parse(element))).toEqual(JSON.parse(text));
        expect(isArray).toBe(true);
      }),
    );
  });

  it.each(["[1,2", "[1 2]", "[1,]", "{}", "", "[", "[}"])("says that %s is no array", (text) => {
    expect(elements(text).isArray).toBe(false);
  });
});

describe("valuesOf", () => {
  it("finds every value of a key, also of an escaped one", () => {
    const bytes = Buffer.from('{"a":1,"\\u0061":22,"b":3}');
    expect(valuesOf(bytes, 0, "a").map((span) => textAt(bytes, span))).toEqual(["1", "22"]);
    expect(valuesOf(bytes, 0, "c")).toEqual([]);
  });
});

describe("isTextAt", () => {
  const bytes = Buffer.from('{"name":"a\\u0062","é":1}');

  it("finds a text at its place only", () => {
    expect(isTextAt(bytes, 2, 6, "name")).toBe(true);
    expect(isTextAt(bytes, 1, 5, "name")).toBe(false);
    expect(isTextAt(bytes, 2, 6, "nane")).toBe(false);
    expect(isTextAt(bytes, 2, 6, "names")).toBe(false);
  });

  it("does not know texts that JSON can write in several ways", () => {
    expect(isTextAt(bytes, 9, 16, "a\\u0062")).toBe(false);
    const at = bytes.indexOf(0xc3);
    expect(isTextAt(bytes, at, at + 2, "Ã©")).toBe(false);
    expect(isTextAt(bytes, at, at + 2, "é")).toBe(false);
  });

  it("is false behind the end", () => {
    expect(isTextAt(bytes, bytes.length - 1, bytes.length + 1, "}}")).toBe(false);
  });
});

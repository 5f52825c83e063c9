import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eachMember, elementsOf, membersOf, valuesOf, withSpans } from "./members.ts";
import type { Span } from "./skip.ts";

const textAt = (bytes: Buffer, { start, end }: Span) => bytes.toString("utf8", start, end);

function visited(bytes: Buffer): [key: string, value: string][] {
  const found: [string, string][] = [];
  eachMember(bytes, 0, (start, end, value) => {
    found.push([JSON.parse(`"${bytes.toString("utf8", start, end)}"`), textAt(bytes, value)]);
    return true;
  });
  return found;
}

describe("eachMember", () => {
  it("finds keys and the text of their values, however they are written", () => {
    const bytes = Buffer.from('{ "a" : [1, {"x": "]}"}] ,"b\\"c":1e400, "d" : "q\\\\" , "e":{} } ');
    expect(visited(bytes)).toEqual([
      ["a", '[1, {"x": "]}"}]'],
      ['b"c', "1e400"],
      ["d", '"q\\\\"'],
      ["e", "{}"],
    ]);
    expect(visited(Buffer.from("{}"))).toEqual([]);
  });

  it("agrees with JSON.parse on any object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), fc.nat(3), (object, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        const read = visited(Buffer.from(text)).map(([key, value]) => [key, JSON.parse(value)]);
        expect(read).toEqual(Object.entries(JSON.parse(text) as object));
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

describe("withSpans", () => {
  it("replaces the spans and nothing else", () => {
    const bytes = Buffer.from('{ "x":1e400, "name" : "a", "y":12345678901234567890, "name":"b" }');
    expect(withSpans(bytes, valuesOf(bytes, 0, "name"), '"é"').toString()).toBe(
      '{ "x":1e400, "name" : "é", "y":12345678901234567890, "name":"é" }',
    );
  });
});

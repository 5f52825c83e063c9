import type { Arbitrary, Combinators } from "./fast-check.ts";

const WORDS = [
  "limit",
  "user",
  "the order 7",
  "n/a",
  "list_users",
  "naïve café",
  "日本語",
  "👩‍👩‍👧 family",
  'say "no"',
] as const;

/** What breaks careless code: controls, invisible characters, halves of a pair, our own marks. */
const AWKWARD = ["\u0000", "\n", "\u200b", "\u202e", "\ud83d", "\ude00", "a", " ", "«", '"', "~"] as const;

/** Text of every sort: words, unicode, lone surrogates, controls, invisible characters, long ones. */
export function anyText(fc: Combinators): Arbitrary<string> {
  const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  return fc.oneof<string>(
    fc.constantFrom(...WORDS),
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: codePoint }),
    fc.string({ unit: codeUnit }),
    fc.string({ unit: fc.constantFrom(...AWKWARD) }),
    fc
      .tuple<[string, number]>(fc.constantFrom("word ", "x", "é", "😀", "日 "), fc.integer({ min: 1, max: 700 }))
      .map(([unit, times]) => unit.repeat(times)),
  );
}

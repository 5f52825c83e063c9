import { MIN_SECRET_LENGTH } from "@recourse/core";
import { type Leak, leaks } from "../corpus.ts";
import type { Arbitrary, Combinators } from "./fast-check.ts";

const PHRASES = [
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

/** Characters that careless code handles wrongly: controls, invisible characters, lone surrogates, quotation marks. */
const AWKWARD_CHARACTERS = [
  "\u0000",
  "\n",
  "\u200b",
  "\u202e",
  "\ud83d",
  "\ude00",
  "a",
  " ",
  "“",
  "”",
  '"',
  "~",
] as const;

/** Any text: words, Unicode, lone surrogates, controls, invisible characters, long text. */
export function anyText(fc: Combinators): Arbitrary<string> {
  const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  return fc.oneof<string>(
    fc.constantFrom(...PHRASES),
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: codePoint }),
    fc.string({ unit: codeUnit }),
    fc.string({ unit: fc.constantFrom(...AWKWARD_CHARACTERS) }),
    fc
      .tuple<[string, number]>(fc.constantFrom("word ", "x", "é", "😀", "日 "), fc.integer({ min: 1, max: 700 }))
      .map(([unit, times]) => unit.repeat(times)),
  );
}

const CREDENTIAL_CATEGORIES: readonly Leak["category"][] = ["cred-known", "cred-opaque"];

/** Keys, tokens and passwords that are long enough to be registered. */
const CREDENTIALS = leaks
  .filter(({ category }) => CREDENTIAL_CATEGORIES.includes(category))
  .flatMap(({ canaries }) => canaries)
  .filter((canary) => canary.length >= MIN_SECRET_LENGTH);

/** Text around a leak. */
const SURROUNDINGS: readonly (readonly [before: string, after: string])[] = [
  ["", ""],
  ["The call failed: ", ""],
  ["Upstream said ", " and gave up."],
  ["Error: could not connect\n    ", "\n    at main (index.js:1:1)"],
  ['{"error":{"message":"', '"}}'],
];

export function anySecret(fc: Combinators): Arbitrary<string> {
  return fc.constantFrom(...CREDENTIALS);
}

const SECRET_CHARACTERS = [..."ABCXYZabcxyz0189+/=_-.~!\"'\\&<>%$é日ß "];

/** A secret of one line that only its registration can tell, with characters that encodings treat differently. */
export function anySecretText(fc: Combinators): Arbitrary<string> {
  return fc
    .string({ unit: fc.constantFrom(...SECRET_CHARACTERS), minLength: 12, maxLength: 40 })
    .filter((value) => value.trim() === value && new Set(value).size > 5);
}

/** A leak of the corpus inside a sentence. Its canaries must not reach a caller. */
export function anyLeakyText(fc: Combinators): Arbitrary<Leak> {
  return fc
    .tuple<[Leak, (typeof SURROUNDINGS)[number]]>(fc.constantFrom(...leaks), fc.constantFrom(...SURROUNDINGS))
    .map(([leak, [before, after]]) => ({ ...leak, text: `${before}${leak.text}${after}` }));
}

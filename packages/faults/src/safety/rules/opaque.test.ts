import { expect, it } from "vitest";
import { looksRandom } from "./opaque.ts";

it.each([
  // Twelve characters that change all the time.
  ["a1b2c3d4e5f6", true],
  ["a1b2c3d4e5f", false],
  ["aB3dE5gH7jK9mN1p", true],
  // Words, with capitals and numbers as in names.
  ["getProductByIdentifier", false],
  ["internationalization", false],
  ["version20260101build", false],
  ["CONSTANT_NAME_2", false],
  ["order-2026-000123", false],
  // Few different characters are a pattern.
  ["1a1a1a1a1a1a1a1a", false],
  ["abababab1212", false],
  // Digits alone are a number, letters need both cases.
  ["123456789012345678", false],
  ["aBcDeFgHiJkLmNoP", true],
  ["aBcDeFgHiJkLmNo", false],
  ["ABCDEFGHIJKLMNOPQR", false],
  ["AbcdefghijKlmnopqrSt", false],
  // A tracking number of a parcel has a form of its own.
  ["1Z999AA10123456784", false],
  ["1Z999AA1012345678a", true],
  // Runs that are joined: one of them random, or all of them together.
  ["prefix_a1b2c3d4e5f6g7", true],
  ["a/b2+C3d-E4f_G5h/I6j+K7l", true],
  ["a/b2+C3d-E4f_G5", false],
  ["one-two-three-four-5", false],
  ["V1StGXR8_Z5jdHi6B-myT", true],
  // Sixteen and more need fewer changes.
  ["abcd12efgh34ijkl5", true],
  ["abcdefgh12ijklmnop", false],
  ["abcd12efgh34ijkl", true],
  ["abcd12efgh34ijklm", true],
  ["abcd12efgh34ijklmn", false],
  // Twelve to fifteen need more.
  ["ab12cd34ef56", true],
  ["abc12def34gh", false],
  ["a1b2c3a1b2c3", true],
  // Joined runs: twenty characters, of each kind several, and many changes.
  ["aB3/dE5+gH7-jK9_mN1p", true],
  ["aB3/dE5+gH7-jK9_mN1", false],
  ["ab3/de5+gh7-jk9_mn1p", false],
  ["aB3/dE5+gh7-jk9_mn1p", false],
  ["aB3/dE5+gH7-jk9_mn1p", true],
  ["aB3/DE5+GH7-JK9_MN1p", false],
  ["aB3/dE5+GH7-JK9_MN1p", true],
  ["aBc/dEf+gHi-jKl_mNo1", false],
  ["aBc/dEf+gHi-jK1_mN2p", true],
  ["ABCD/abcd+1234-EFGH_efgh", false],
  // Letters alone: at least 21 changes in 50 places.
  [`aBcDeFgHiJkLmNoPqRsTu${"V".repeat(30)}`, true],
  [`aBcDeFgHiJkLmNoPqRsTu${"V".repeat(31)}`, false],
])("looksRandom(%j) is %s", (token, expected) => {
  expect(looksRandom(token)).toBe(expected);
});

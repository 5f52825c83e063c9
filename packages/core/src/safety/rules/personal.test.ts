import { expect, it } from "vitest";
import { findMatches } from "../find-matches.ts";
import { CUT_RULES } from "./cut-rules.ts";

/** Whether a rule finds the whole text. */
const finds = (id: string, text: string) =>
  CUT_RULES.filter((rule) => rule.id === id)
    .flatMap((rule) => findMatches(rule, text))
    .some(({ start, end }) => start === 0 && end === text.length);

it.each([
  ["4111111111111111", true],
  ["4111111111111112", false],
  ["4111 1111 1111 1111", true],
  ["4111-1111-1111-1111", true],
  ["4111 1111-1111 1111", false],
  ["41111 111 1111 1111", false],
  // The number of a device has 15 digits, and so has an American Express card.
  ["378282246310005", true],
  ["3782 822463 10005", true],
  ["490154203237518", true],
  // Plain 13 and 14 digits are mostly GTINs, with spaces they are cards.
  ["4222222222222", false],
  ["4222 2222 2222 2", true],
  ["30569309025904", false],
  // 16 digits that start with 0, 1 or 7 are no card, grouped ones also not with 8 or 9.
  ["1111111111111117", false],
  ["1000000000000008", false],
  ["2000000000000006", true],
  ["8111111111111112", true],
  ["8111 1111 1111 1112", false],
  ["0000000000000000", false],
  ["000000000000000", false],
  ["6304000000000000000", true],
  ["63040000000000000000", false],
  ["422222222222", false],
  ["6304 0000 0000 0000 000", true],
])("a card number: %j is %s", (text, expected) => {
  expect(finds("personal.card", text)).toBe(expected);
});

it.each([
  ["11010519491231002X", true],
  ["11010519491231002x", true],
  ["110105194912310021", false],
  ["110105194912310029", false],
  ["11010519491231003X", false],
  ["440308199901101512", true],
])("a citizen number: %j is %s", (text, expected) => {
  expect(finds("personal.citizen-number", text)).toBe(expected);
});

it.each([
  ["DE89370400440532013000", true],
  ["de89 3704 0044 0532 0130 00", true],
  ["DE89-3704-0044-0532-0130-00", true],
  ["DE8937040044053201300", false],
  ["NO9386011117947", true],
  ["GB82WEST12345698765432", true],
  ["ZZ82WEST12345698765432", false],
  ["", false],
])("an IBAN: %j is %s", (text, expected) => {
  expect(finds("personal.iban", text)).toBe(expected);
});

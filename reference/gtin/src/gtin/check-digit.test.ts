import fc from "fast-check";
import { expect, test } from "vitest";
import { digits } from "../../test/support/arbitraries.ts";
import { checkDigit, hasCheckDigit } from "./check-digit.ts";

const body = digits(7, 13);
const number = body.map((bare) => bare + checkDigit(bare));
const place = fc.nat({ max: 13 });

test.each([
  ["0061414112345", "2"],
  ["9638507", "4"],
  ["400638133393", "1"],
  ["1952187300012", "9"],
])("%s gets %s", (digits, digit) => {
  expect(checkDigit(digits)).toBe(digit);
});

test("zeros in front never change it", () => {
  fc.assert(fc.property(body, (bare) => checkDigit(bare.padStart(20, "0")) === checkDigit(bare)));
});

test("every single wrong digit is found", () => {
  fc.assert(
    fc.property(number, place, fc.integer({ min: 1, max: 9 }), (code, at, by) => {
      const index = at % code.length;
      const wrong = String((Number(code[index]) + by) % 10);
      expect(hasCheckDigit(code)).toBe(true);
      expect(hasCheckDigit(code.slice(0, index) + wrong + code.slice(index + 1))).toBe(false);
    }),
  );
});

test("two neighbours that changed places are found, unless they are alike or five apart", () => {
  fc.assert(
    fc.property(number, place, (code, at) => {
      const index = at % (code.length - 1);
      const [a = "", b = ""] = code.slice(index, index + 2);
      const swapped = code.slice(0, index) + b + a + code.slice(index + 2);
      expect(hasCheckDigit(swapped)).toBe(a === b || Math.abs(Number(a) - Number(b)) === 5);
    }),
  );
});

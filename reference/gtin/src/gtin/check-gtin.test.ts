import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digits } from "../../test/support/arbitraries.ts";
import { checkDigit, checkGtin, expandUpcE, hasCheckDigit } from "./check-gtin.ts";

describe("valid", () => {
  test.each([
    ["00614141123452", "GTIN-12", "00614141123452"],
    ["614141123452", "GTIN-12", "00614141123452"],
    ["0614141123452", "GTIN-12", "00614141123452"],
    ["09506000134352", "GTIN-13", "09506000134352"],
    ["09506000134369", "GTIN-13", "09506000134369"],
    ["09506000134376", "GTIN-13", "09506000134376"],
    ["09506000164908", "GTIN-13", "09506000164908"],
    ["09520123456788", "GTIN-13", "09520123456788"],
    ["09521234543213", "GTIN-13", "09521234543213"],
    ["12312312312326", "GTIN-14", "12312312312326"],
    ["12312312312333", "GTIN-14", "12312312312333"],
    ["9521873000122", "GTIN-13", "09521873000122"],
    ["19521873000129", "GTIN-14", "19521873000129"],
    ["614141773985", "GTIN-12", "00614141773985"],
    ["20614141773989", "GTIN-14", "20614141773989"],
    ["95216843", "GTIN-8", "00000095216843"],
    ["00000095216843", "GTIN-8", "00000095216843"],
    ["30000095216844", "GTIN-14", "30000095216844"],
    ["96385074", "GTIN-8", "00000096385074"],
    ["4006381333931", "GTIN-13", "04006381333931"],
    ["036000291452", "GTIN-12", "00036000291452"],
    ["5901234123457", "GTIN-13", "05901234123457"],
    ["9780306406157", "GTIN-13", "09780306406157"],
    ["9771234567003", "GTIN-13", "09771234567003"],
    ["9790060115615", "GTIN-13", "09790060115615"],
    ["05412345000013", "GTIN-13", "05412345000013"],
  ])("%s is a %s", (code, form, gtin) => {
    expect(checkGtin(code)).toMatchObject({ valid: true, form, gtin });
  });
});

describe("valid, but not for public use", () => {
  test.each([
    ["0201234567899", "restricted"],
    ["0401234567893", "restricted"],
    ["2000000000015", "restricted"],
    ["2112345678900", "restricted"],
    ["0501234567890", "restricted"],
    ["12312312312326", "restricted"],
    ["9801234567892", "not_trade_item"],
    ["9811234567891", "not_trade_item"],
    ["9901234567899", "not_trade_item"],
    ["9511234567890", "not_trade_item"],
    ["1401234567892", "unknown"],
    ["9521873000122", "demo"],
    ["9780306406157", "publication"],
    ["96385074", "member"],
  ])("%s has a prefix that is %s", (code, status) => {
    expect(checkGtin(code)).toMatchObject({ valid: true, prefix: { status } });
  });
});

describe("invalid", () => {
  test.each([
    ["00614141123453", "CHECK_DIGIT"],
    ["000095216843", "GTIN8_IN_12_DIGITS"],
    ["01278907", "AMBIGUOUS_8_DIGIT_ZERO_PREFIX"],
    ["09867539", "AMBIGUOUS_8_DIGIT_ZERO_PREFIX"],
    ["02345673", "AMBIGUOUS_8_DIGIT_ZERO_PREFIX"],
    ["00000000000000", "RESTRICTED_8_DIGITS"],
    ["0000000000000", "RESTRICTED_8_DIGITS"],
    ["1234567890123456", "LENGTH"],
    ["", "NOT_DIGITS"],
    ["9521873000l22", "NOT_DIGITS"],
    ["٠٠٦١٤١٤١١٢٣٤٥٢", "NOT_DIGITS"],
    [" 614141123452", "NOT_DIGITS"],
    ["614141123452\n", "NOT_DIGITS"],
    ["106141411234567897", "SSCC_LENGTH"],
    ["0306406152", "ISBN10_LENGTH"],
    ["080442957X", "ISBN10_LENGTH"],
    [614141123452, "NOT_A_STRING"],
    [null, "NOT_A_STRING"],
    [undefined, "NOT_A_STRING"],
    [["614141123452"], "NOT_A_STRING"],
  ])("%j: %s", (code, problem) => {
    expect(checkGtin(code)).toMatchObject({ valid: false, problem });
  });

  test("a UPC-E is answered with its GTIN-12", () => {
    expect(checkGtin("01278907")).toMatchObject({ suggestion: "012000007897" });
    expect(checkGtin("01278900")).not.toHaveProperty("suggestion");
  });
});

test("any value gets a result, and padding does not change the result of a valid number", () => {
  const anything = fc.oneof(
    fc.anything(),
    digits(7, 13).map((body) => body + checkDigit(body)),
  );
  fc.assert(
    fc.property(anything, (value) => {
      const verdict = checkGtin(value);
      if (verdict.valid) expect(checkGtin(verdict.gtin)).toEqual(verdict);
    }),
  );
});

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

test("leading zeros never change it", () => {
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

test("swapped neighbours are found, unless they are equal or five apart", () => {
  fc.assert(
    fc.property(number, place, (code, at) => {
      const index = at % (code.length - 1);
      const [a = "", b = ""] = code.slice(index, index + 2);
      const swapped = code.slice(0, index) + b + a + code.slice(index + 2);
      expect(hasCheckDigit(swapped)).toBe(a === b || Math.abs(Number(a) - Number(b)) === 5);
    }),
  );
});

test.each([
  ["01278907", "012000007897"],
  ["02345673", "023456000073"],
  ["09867539", "098600000759"],
  ["01278900", undefined],
  ["12345670", undefined],
  ["0123456", undefined],
])("%s expands to %s", (short, long) => {
  expect(expandUpcE(short)).toBe(long);
});

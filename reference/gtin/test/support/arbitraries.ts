// Random GTINs and links.
import fc from "fast-check";
import { DATES, type DigitalLink, isDate } from "../../src/digital-link/digital-link.ts";
import { checkDigit, checkGtin } from "../../src/gtin/check-gtin.ts";

const DIGIT = fc.constantFrom(..."0123456789");

/** As many digits as there are between two lengths. */
export function digits(minLength: number, maxLength: number = minLength): fc.Arbitrary<string> {
  return fc.string({ unit: DIGIT, minLength, maxLength });
}

/** Fourteen digits that are a GTIN. */
const gtin14: fc.Arbitrary<string> = digits(13)
  .map((body) => body + checkDigit(body))
  .filter((digits) => checkGtin(digits).valid);

/** What may or may not be a GTIN: right and wrong check digits, all lengths, zeros in front, other signs. */
export const almostGtin: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: digits(7, 13).map((body) => body + checkDigit(body)),
  },
  { weight: 2, arbitrary: digits(1, 18) },
  {
    weight: 2,
    arbitrary: fc.tuple(digits(1, 8), fc.constantFrom(8, 12, 13, 14)).map(([body, length]) => padded(body, length)),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 16 }) },
);

const SIGNS = [..."!\"%&'()*+,-./0123456789:;<=>?ABCXYZ_abcxyz"];
const value = (max: number) =>
  fc
    .string({ unit: fc.constantFrom(...SIGNS), minLength: 1, maxLength: max })
    .filter((text) => !/^\.{1,2}$/.test(text));
const date = fc.stringMatching(/^[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])$/).filter(isDate);

const qualifiers: fc.Arbitrary<DigitalLink["qualifiers"]> = fc.oneof(
  fc.record({ "22": value(20), "10": value(20), "21": value(20) }, { requiredKeys: [] }),
  fc.record({ "235": value(28) }),
);
const attributes: fc.Arbitrary<DigitalLink["attributes"]> = fc.dictionary(fc.constantFrom(...DATES), date, {
  noNullPrototype: true,
});

/** What a Digital Link can say. */
export const digitalLink: fc.Arbitrary<DigitalLink> = fc.record(
  { gtin: gtin14, qualifiers, attributes },
  { noNullPrototype: true },
);

function padded(body: string, length: number): string {
  const front = body.slice(0, length - 1).padStart(length - 1, "0");
  return front + checkDigit(front);
}

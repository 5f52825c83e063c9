/** Everything that can be wrong with what somebody calls a GTIN, with a sentence for whoever sent it. */
export const PROBLEMS = {
  NOT_A_STRING: "A GTIN is a string of digits; as a number it loses its leading zeros.",
  NOT_DIGITS: "A GTIN consists of the digits 0 to 9 alone, without spaces, hyphens or letters.",
  LENGTH: "A GTIN has 8, 12, 13 or 14 digits.",
  ISBN10_LENGTH: "Ten characters may be an ISBN-10: convert it to the ISBN-13 that starts with 978.",
  SSCC_LENGTH: "Eighteen digits are an SSCC, which names a logistic unit and not a product.",
  AMBIGUOUS_8_DIGIT_ZERO_PREFIX:
    "Eight digits with a leading zero may be a UPC-E or an in-store number: send the GTIN-12.",
  GTIN8_IN_12_DIGITS: "A GTIN-8 may be padded to 13 or 14 digits, but not to 12.",
  RESTRICTED_8_DIGITS: "Behind so many zeros there is an in-store number of eight digits, which is no GTIN.",
  CHECK_DIGIT: "The last digit is not the check digit of those before it.",
} as const;

/** The name of one of them. */
export type Problem = keyof typeof PROBLEMS;
export const PROBLEM_NAMES = Object.keys(PROBLEMS) as readonly Problem[];

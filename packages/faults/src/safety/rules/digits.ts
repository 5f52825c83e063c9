/** Tells whether a string of digits has a valid Luhn check digit. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = digits.length - 1, doubled = false; i >= 0; i--, doubled = !doubled) {
    const digit = digits.charCodeAt(i) - 48;
    sum += doubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

/**
 * Tells whether digits, grouped or not, are the number of a payment card or of a device.
 *
 * Plain runs of 8, 12, 13, 14, 17 and 18 digits are GS1 keys far more often than cards.
 */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1*$/.test(digits) || !passesLuhn(digits)) return false;
  if (text.length > digits.length) return /^[2-6]/.test(digits) && GROUPED.test(text);
  return digits.length === 15 || ((digits.length === 16 || digits.length === 19) && /^[2-689]/.test(digits));
}

const GROUPED = /^\d{4}([ -])(?:\d{4}\1\d{4}\1\d{1,4}(?:\1\d{3})?|\d{6}\1\d{4,5})$/;

/** Tells whether digits end in the check digit of a GS1 key, as an SSCC does. */
export function isGs1Key(digits: string): boolean {
  let sum = 0;
  for (let i = digits.length - 1, weight = 1; i >= 0; i--, weight = 4 - weight)
    sum += weight * (digits.charCodeAt(i) - 48);
  return sum % 10 === 0;
}

/** Tells whether a Chinese citizen number has its check character. */
export function isCitizenNumber(text: string): boolean {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, i) => total + weight * (text.charCodeAt(i) - 48), 0);
  return "10X98765432".charAt(sum % 11) === text.charAt(17).toUpperCase();
}

/** Tells whether a text has the length of an IBAN of its country. */
export function isIban(text: string): boolean {
  const compact = text.replace(/[ -]/g, "").toUpperCase();
  return IBAN_LENGTHS.get(compact.slice(0, 2)) === compact.length;
}

const IBAN_LENGTHS = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 " +
    "GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 " +
    "MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 " +
    "VA22 VG24 XK20"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);

/** The check digit that belongs behind these digits: weights 3, 1, 3, 1 … from the right. */
export function checkDigit(body: string): string {
  let sum = 0;
  for (let at = 0; at < body.length; at++) {
    const weight = (body.length - at) % 2 === 1 ? 3 : 1;
    sum += Number(body[at]) * weight;
  }
  return String((10 - (sum % 10)) % 10);
}

/** Whether the last digit is the check digit of those before it; for ASCII digits only. */
export function hasCheckDigit(digits: string): boolean {
  return checkDigit(digits.slice(0, -1)) === digits.at(-1);
}

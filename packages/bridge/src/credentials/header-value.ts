const LONGEST = 8_192;

/** Whether a text can be the value of a header: one line of visible ASCII. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST && /^[!-~](?:[ -~]*[!-~])?$/.test(value);
}

/** Whether a text can be the value of a cookie as it is. */
export function isCookieValue(value: string): boolean {
  return isHeaderValue(value) && !/[\s",;\\]/.test(value);
}

/** The value, or a throw that names what it is for and never shows it. */
export function headerValue(value: unknown, what: string): string {
  if (!isHeaderValue(value)) throw new TypeError(`the ${what} is not a line of visible ASCII characters`);
  return value;
}

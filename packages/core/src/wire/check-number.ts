export interface NumberRange {
  /** The least. */
  readonly min: number;
  /** The most. @default no limit */
  readonly max?: number;
  /** Whether it must be a whole number. @default false */
  readonly whole?: true;
}

/**
 * Throws a `RangeError` with the path of the option if a number is out of range or is not a number. Options that are not
 * given pass.
 *
 * @example
 * checkNumber("retry.policy.attempts", options.retry?.policy?.attempts, { min: 1, max: 10, whole: true });
 */
export function checkNumber(path: string, value: unknown, { min, max, whole }: NumberRange): void {
  if (value === undefined) return;
  const isInside = typeof value === "number" && value >= min && value <= (max ?? Number.POSITIVE_INFINITY);
  if (isInside && (whole !== true || Number.isInteger(value))) return;
  const range = max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
  throw new RangeError(`${path} must be a ${whole === true ? "whole " : ""}number ${range}, but it is ${show(value)}`);
}

/** Throws for each number of an options object that is out of its range. */
export function checkNumbers<T extends object>(
  path: string,
  options: T,
  ranges: Readonly<Partial<Record<keyof T & string, NumberRange>>>,
): void {
  for (const [name, range] of Object.entries(ranges) as [keyof T & string, NumberRange][]) {
    checkNumber(path === "" ? name : `${path}.${name}`, options[name], range);
  }
}

/** What is wrong may be a secret in the wrong place, so only numbers are shown. */
function show(value: unknown): string {
  return typeof value === "number" ? String(value) : `of type ${value === null ? "null" : typeof value}`;
}

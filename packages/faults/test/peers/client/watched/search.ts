/**
 * Tells whether a value can be found anywhere in an error: in its own properties, hidden ones too, and along its causes.
 *
 * Stacks are left out: they repeat the message, and their line numbers are nobody's data.
 */
export function holds(error: unknown, planted: string | number, seen: Set<object> = new Set()): boolean {
  if (error === planted) return true;
  if (typeof error === "string") return typeof planted === "string" && error.includes(planted);
  if (typeof error !== "object" || error === null || seen.has(error)) return false;
  seen.add(error);
  if (error instanceof Map || error instanceof Set || error instanceof Headers)
    return [...error].some((item) => holds(item, planted, seen));
  const keys = Reflect.ownKeys(error).filter((key) => key !== "stack");
  return keys.some((key) => holds(Reflect.get(error, key), planted, seen));
}

/** Everything that an error says, without its stack: two that print the same cannot be told apart. */
export function printed(error: unknown): string {
  const keys = (value: object) => Object.getOwnPropertyNames(value).filter((key) => key !== "stack");
  return JSON.stringify(error, (_key, value: unknown) =>
    value instanceof Error
      ? Object.fromEntries(["name", ...keys(value)].map((key) => [key, Reflect.get(value, key)]))
      : value,
  );
}

/** A member of any value, also an inherited one. A member that throws is absent. */
export function member(of: unknown, key: string): unknown {
  if (typeof of !== "object" || of === null) return undefined;
  try {
    return (of as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}

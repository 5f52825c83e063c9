import { isObject } from "../../json/read.ts";

/** The same text for the same JSON value, in whatever order its members were written. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(byName)) : member,
  );
}

/** By code units, so that no locale changes the order. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}

/** SHA-256 of the canonical text of a value, in hexadecimal. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonical(value)));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

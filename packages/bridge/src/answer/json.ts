import { toPlain } from "../document/plain.ts";

/** Numbers of so many digits may be more exact than a program reads them. */
const LONG_NUMBER = /\d{16}/;

/** The value of a JSON text, or why it has none that can be used. */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: "not_json" | "too_deep" };

/** Reads a JSON text as plain data of bounded depth, without `__proto__`. */
export function parseJson(text: string): Parsed {
  let value: unknown;
  try {
    value = LONG_NUMBER.test(text) ? JSON.parse(text, exactly as Reviver) : JSON.parse(text);
  } catch {
    return { ok: false, why: "not_json" };
  }
  const plain = toPlain(value);
  return plain.ok ? plain : { ok: false, why: "too_deep" };
}

type Reviver = (key: string, value: unknown) => unknown;

/** A whole number that would lose digits stays as the text that it was: it is an identifier far more often than an amount. */
function exactly(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isRounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(context?.source ?? "") ? context?.source : value;
}

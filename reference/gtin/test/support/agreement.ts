// Compares this code with the database and with an independent barcode encoder.

import bwip from "@bwip-js/node";
import type { TestDatabase } from "@recourse/test-kit/postgres";
import { parseDigitalLink } from "../../src/digital-link/parse.ts";
import { checkGtin } from "../../src/gtin/check-gtin.ts";

/** The symbols of the encoder that carry a number of a length, and refuse a wrong check digit. */
const SYMBOLS: Readonly<Record<number, string>> = { 8: "ean8", 12: "upca", 13: "ean13", 14: "itf14" };

/** The values on which code and database differ. */
export async function differencesInDatabase(
  values: readonly string[],
  database: TestDatabase,
): Promise<readonly string[]> {
  // PostgreSQL text cannot contain a zero character or half a surrogate pair.
  const sendable = values.filter((value) => !value.includes("\0") && value.isWellFormed());
  const rows = await database.query("select code, gtin14_of(code) as gtin from unnest($1::text[]) as code", [sendable]);
  const theirs = new Map(rows.map(({ code, gtin }) => [code, gtin]));
  return sendable.filter((value) => {
    const verdict = checkGtin(value);
    return theirs.get(value) !== (verdict.valid ? verdict.gtin : null);
  });
}

/** What the encoder knows nothing of: it checks digits, and not how GTINs are given out. */
const STRUCTURE = new Set(["AMBIGUOUS_8_DIGIT_ZERO_PREFIX", "GTIN8_IN_12_DIGITS", "RESTRICTED_8_DIGITS"]);

/** The values on which code and encoder differ about digits. */
export function differencesInEncoder(values: readonly string[]): readonly string[] {
  return values.filter((value) => {
    const verdict = checkGtin(value);
    const bcid = /^[0-9]+$/.test(value) ? SYMBOLS[value.length] : undefined;
    // Another length, or the encoder would take the missing digit for one to be worked out.
    if (bcid === undefined) return verdict.valid;
    if (!verdict.valid && STRUCTURE.has(verdict.problem)) return false;
    return encodes(bcid, value) !== verdict.valid;
  });
}

/** The links on which code and encoder differ. */
export function differencesInLinks(uris: readonly string[]): readonly string[] {
  return uris.filter((uri) => encodes("gs1dlqrcode", uri) !== parseDigitalLink(uri).ok);
}

function encodes(bcid: string, text: string): boolean {
  try {
    bwip.raw({ bcid, text });
    return true;
  } catch {
    return false;
  }
}

import { MIN_STRING_LENGTH } from "./string-search.ts";

const BASE64_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Shorter lines of a secret with several lines are not searched for by themselves. */
const MIN_LINE_LENGTH = 16;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const encoder = new TextEncoder();

/** Every form in which a secret is searched for: the value, its encodings, and the lines of a value with several. */
export function encodingsOf(secret: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const value of new Set([secret, secret.trim(), secret.normalize("NFKC")])) {
    if (value.length < MIN_STRING_LENGTH) continue;
    for (const form of encodeSecret(value)) if (form.length >= MIN_STRING_LENGTH) forms.add(form);
  }
  for (const line of secretLines(secret)) forms.add(line);
  return forms;
}

function* encodeSecret(value: string): Iterable<string> {
  const json = escapeJson(value);
  const percent = encodeURIComponent(value.toWellFormed());
  const strict = percent.replace(/[!'()*]/g, hexEscape);
  const form = percent.replace(/[!'()~]/g, hexEscape).replaceAll("%20", "+");
  const bytes = encoder.encode(value);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  yield value;
  yield json;
  yield escapeJson(json);
  yield json.replaceAll("/", "\\/");
  yield json.replace(/[\u007f-\uffff]/g, unicodeEscape);
  yield value.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
  for (const each of [percent, strict, form, encodeURI(value.toWellFormed())]) {
    yield each;
    yield each.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
  }
  yield hex;
  yield hex.toUpperCase();
  for (const shift of [0, 1, 2]) {
    const base64 = base64At(bytes, shift);
    yield base64;
    yield base64.replaceAll("+", "-").replaceAll("/", "_");
  }
}

/** The base64 characters that depend only on these bytes, if `shift` other bytes come before them. */
function base64At(bytes: Uint8Array, shift: number): string {
  let text = "";
  let held = 0;
  let bits = -((6 - ((shift * 8) % 6)) % 6);
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += BASE64_ALPHABET.charAt((held >>> bits) & 63);
    }
  }
  return text;
}

// The first and last line of a PEM key are the same for every key.
function secretLines(secret: string): string[] {
  if (!/[\r\n]/.test(secret)) return [];
  const lines = secret.split(/[\r\n]+/, 1000).map((line) => line.trim());
  return lines.filter((line) => line.length >= MIN_LINE_LENGTH && !line.startsWith("-----"));
}

function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function hexEscape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

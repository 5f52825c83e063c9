import { ANCHOR } from "./needles.ts";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const MIN_LINE = 16;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const encoder = new TextEncoder();

/** Lists every form in which a secret is looked for: itself, its encodings, and the lines of a long one. */
export function formsOf(secret: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const value of new Set([secret, secret.trim(), secret.normalize("NFKC")])) {
    if (value.length < ANCHOR) continue;
    for (const form of encodings(value)) if (form.length >= ANCHOR) forms.add(form);
  }
  for (const line of linesOf(secret)) forms.add(line);
  return forms;
}

function* encodings(value: string): Iterable<string> {
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

/** The base64 characters that depend on these bytes only, when `shift` other bytes stand before them. */
function base64At(bytes: Uint8Array, shift: number): string {
  let text = "";
  let held = 0;
  let bits = -((6 - ((shift * 8) % 6)) % 6);
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += BASE64.charAt((held >>> bits) & 63);
    }
  }
  return text;
}

// The armour lines of a key are the same for every key.
function linesOf(secret: string): string[] {
  if (!/[\r\n]/.test(secret)) return [];
  const lines = secret.split(/[\r\n]+/, 1000).map((line) => line.trim());
  return lines.filter((line) => line.length >= MIN_LINE && !line.startsWith("-----"));
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

import { isNightly, runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DECODING_DEPTH } from "./layers.ts";
import { createSecretFilter } from "./secrets.ts";

const utf8Percent = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");
const units = (text: string, write: (hex: string) => string) =>
  Array.from({ length: text.length }, (_, i) => write(text.charCodeAt(i).toString(16))).join("");
const points = (text: string, write: (code: number) => string) =>
  Array.from(text, (char) => write(char.codePointAt(0) ?? 0)).join("");
/** Encodes every second character. */
const everySecond = (text: string, encode: (char: string) => string) =>
  Array.from(text, (char, i) => (i % 2 === 0 ? encode(char) : char)).join("");

const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  itself: (secret) => secret,
  json: (secret) => JSON.stringify(secret).slice(1, -1),
  "json twice": (secret) => JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
  percent: (secret) => encodeURIComponent(secret),
  "percent, small hex": (secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
  form: (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  "a whole uri": (secret) => encodeURI(secret),
  hex: (secret) => Buffer.from(secret).toString("hex"),
  "capital hex": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  base64: (secret) => Buffer.from(secret).toString("base64"),
  "base64 after one byte": (secret) => Buffer.from(`a${secret}`).toString("base64"),
  "base64 after two bytes": (secret) => Buffer.from(`ab${secret}`).toString("base64"),
  base64url: (secret) => Buffer.from(`user:${secret}`).toString("base64url"),
  html: (secret) =>
    secret.replace(/[&<>"']/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[char] ?? "&#39;"),
};

/** Encodings of every character, which can be put inside each other. */
const LAYERS: Readonly<Record<string, (text: string) => string>> = {
  "percent of every character": utf8Percent,
  "percent of every character, capital hex": (text) => utf8Percent(text).toUpperCase(),
  "percent of units": (text) => units(text, (hex) => `%u${hex.padStart(4, "0")}`),
  "\\u0000": (text) => units(text, (hex) => `\\u${hex.padStart(4, "0")}`),
  "\\U0000 in capitals": (text) => units(text, (hex) => `\\u${hex.padStart(4, "0").toUpperCase()}`),
  "\\u{0}": (text) => points(text, (code) => `\\u{${code.toString(16)}}`),
  "decimal entities": (text) => points(text, (code) => `&#${code};`),
  "hex entities": (text) => points(text, (code) => `&#x${code.toString(16)};`),
  json: (text) => JSON.stringify(text).slice(1, -1),
  percent: (text) => encodeURIComponent(text),
  hex: (text) => Buffer.from(text).toString("hex"),
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
};
/** There are many pairs. */
const PAIR_RUNS = Math.min(20, runs(isNightly ? 20 : 5));
const PAIRS = Object.keys(LAYERS).flatMap((outer) => Object.keys(LAYERS).map((inner) => [outer, inner] as const));
const wrapped = (layers: readonly string[], text: string) =>
  layers.reduceRight((inner, layer) => LAYERS[layer]?.(inner) ?? inner, text);

const secret = fc
  .string({ unit: "grapheme", minLength: 8, maxLength: 60 })
  .filter((text) => text.isWellFormed() && text.trim().length >= 8);
const around = fc.string({ unit: "grapheme", maxLength: 80 });

describe("createSecretFilter", () => {
  it.each(Object.entries(FORMS))("finds any secret encoded as %s, anywhere in a text", (_name, form) => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        expect(createSecretFilter([value]).has(before + form(value) + after)).toBe(true);
      }),
    );
  });

  it.each(Object.keys(LAYERS))("finds any secret written as %s, whole and in every second character", (name) => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const filter = createSecretFilter([value]);
        expect(filter.has(`${before} ${wrapped([name], value)} ${after}`)).toBe(true);
        if (/^(?:base|hex$|json)/.test(name)) return;
        const mixed = everySecond(value.replace(/[%&\\]/g, "x"), (char) => wrapped([name], char));
        expect(createSecretFilter([value.replace(/[%&\\]/g, "x")]).has(mixed)).toBe(true);
      }),
    );
  });

  it.each(PAIRS)("finds any secret written as %s of %s", (outer, inner) => {
    fc.assert(
      fc.property(secret, (value) => {
        expect(createSecretFilter([value]).has(`got ${wrapped([outer, inner], value)} here`)).toBe(true);
      }),
      { numRuns: PAIR_RUNS },
    );
  });

  it("removes two layers of encoding and not more", () => {
    expect(DECODING_DEPTH).toBe(2);
    const value = "correct horse";
    const under = (layers: number) =>
      createSecretFilter([value]).has(wrapped(new Array<string>(layers).fill("percent of every character"), value));
    expect([0, 1, 2, 3].map(under)).toStrictEqual([true, true, true, false]);
  });

  it.each(["hunter\\new2-horse", "50%41off&amp;more", "a\r\nb secret of two lines"])(
    "finds %j, which looks escaped itself, in one and two layers",
    (value) => {
      for (const layer of Object.keys(LAYERS)) {
        expect(createSecretFilter([value]).has(wrapped([layer], value)), layer).toBe(true);
        expect(createSecretFilter([value]).has(wrapped([layer, layer], value)), layer).toBe(true);
      }
    },
  );

  it("finds nothing in texts that do not contain it", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{8,20}$/), fc.stringMatching(/^[A-Y0-9 ]{0,200}$/), (value, text) => {
        expect(createSecretFilter([`${value}Z`]).has(text)).toBe(false);
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { containsSecret, createSecretFilter, registerSecrets } from "./secrets.ts";

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

  it("finds nothing in texts that do not contain it", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{8,20}$/), fc.stringMatching(/^[A-Y0-9 ]{0,200}$/), (value, text) => {
        expect(createSecretFilter([`${value}Z`]).has(text)).toBe(false);
      }),
    );
  });

  it("ignores values shorter than eight characters and counts each of the others once", () => {
    const filter = createSecretFilter(["1234567", "12345678", "12345678"]);
    expect([filter.size, filter.has("1234567"), filter.has("x12345678x")]).toStrictEqual([1, false, true]);
    expect(createSecretFilter([]).has("anything")).toBe(false);
  });

  it.each([
    ["invisible characters", "hunter\u200b2-horse\u2060!"],
    ["full-width letters", "ｈｕｎｔｅｒ２-horse!"],
    ["line breaks", "hunter2\n  -horse!"],
  ])("finds a secret in spite of %s", (_name, text) => {
    expect(createSecretFilter(["hunter2-horse!"]).has(`got ${text} here`)).toBe(true);
  });

  it("finds a long value by any of its lines, but not by the first and last line of a key", () => {
    const filter = createSecretFilter(["-----BEGIN TEST KEY-----\nabcdefghijklmnop\nshort\n-----END TEST KEY-----\n"]);
    expect(filter.has("line abcdefghijklmnop!")).toBe(true);
    expect(filter.has("-----BEGIN TEST KEY-----")).toBe(false);
    expect(filter.has("a short line")).toBe(false);
  });

  it("takes hardly longer for thousands of secrets that start alike", () => {
    const many = createSecretFilter(Array.from({ length: 5000 }, (_, i) => `vendor-prefix-${i}-suffix`));
    const text = "vendor-prefix-".repeat(300).slice(0, 4096);
    const start = performance.now();
    for (let i = 0; i < 20; i++) expect(many.has(text)).toBe(false);
    expect((performance.now() - start) / 20).toBeLessThan(20);
    expect([many.size, many.has(`${text}4321-suffix`)]).toStrictEqual([5000, false]);
    expect(many.has(`${text} vendor-prefix-4321-suffix`)).toBe(true);
  });
});

it("finds a registered value until each registration is taken back, each once", () => {
  const first = registerSecrets("register-one", "short");
  const second = registerSecrets("register-one", "register-two");
  expect(containsSecret("a register-one b")).toBe(true);
  first();
  first();
  expect([containsSecret("a register-one b"), containsSecret("register-two")]).toStrictEqual([true, true]);
  second();
  expect([containsSecret("a register-one b"), containsSecret("register-two")]).toStrictEqual([false, false]);
});

it("keeps a line that two values share while one of them is registered", () => {
  const first = registerSecrets("-----\nshared-line-of-two-keys\nx");
  const second = registerSecrets("-----\nshared-line-of-two-keys\ny");
  first();
  expect(containsSecret("shared-line-of-two-keys")).toBe(true);
  second();
  expect(containsSecret("shared-line-of-two-keys")).toBe(false);
});

it("finds encoded forms and ignores short values", () => {
  const undo = registerSecrets("register me!", "1234567");
  expect(containsSecret("q=register%20me!&x")).toBe(true);
  expect(containsSecret("q=register+me%21&x")).toBe(true);
  expect(containsSecret("1234567")).toBe(false);
  undo();
});

import { describe, expect, it } from "vitest";
import { containsSecret, createSecretFilter, joinSecrets, registerSecrets } from "./secrets.ts";

describe("createSecretFilter", () => {
  it("removes two layers of encoding and not more", () => {
    const layers = ["correct horse", "correct%20horse", "correct%2520horse", "correct%252520horse"];
    const filter = createSecretFilter(["correct horse"]);
    expect(layers.map((text) => filter.has(text))).toStrictEqual([true, true, true, false]);
  });

  it.each(["utf16le", "utf-16be"])("finds a secret in %s, as bytes and in base64", (charset) => {
    const bytes = Buffer.from("hunter2-horse!", "utf16le");
    if (charset === "utf-16be") bytes.swap16();
    const filter = createSecretFilter(["hunter2-horse!"]);
    expect([filter.has(bytes.toString("latin1")), filter.has(bytes.toString("base64"))]).toStrictEqual([true, true]);
  });

  it("ignores values shorter than six characters and counts each of the others once", () => {
    const filter = createSecretFilter(["12345", "abcdef", "abcdef"]);
    expect([filter.size, filter.has("12345"), filter.has("xabcdefx")]).toStrictEqual([1, false, true]);
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
});

it("finds a registered value until each registration is taken back, each once", () => {
  const first = registerSecrets("register-one");
  const second = registerSecrets("register-one", "register-two");
  expect(containsSecret("a register-one b")).toBe(true);
  first();
  first();
  expect([containsSecret("a register-one b"), containsSecret("register-two")]).toStrictEqual([true, true]);
  second();
  expect([containsSecret("a register-one b"), containsSecret("register-two")]).toStrictEqual([false, false]);
});

it("finds a value no more that was taken back, while others are registered", () => {
  const undoOther = registerSecrets("register-other");
  const undoFirst = registerSecrets("register-one");
  const undoSecond = registerSecrets("register-one");
  expect([containsSecret("a register-one b"), containsSecret("a register-two b")]).toStrictEqual([true, false]);
  undoFirst();
  undoSecond();
  expect([containsSecret("a register-one b"), containsSecret("a register-other b")]).toStrictEqual([false, true]);
  const undoThird = registerSecrets("register-one");
  expect(containsSecret("a register-one b")).toBe(true);
  undoThird();
  undoOther();
});

it("keeps a line that two values share while one of them is registered", () => {
  const first = registerSecrets("-----\nshared-line-of-two-keys\nx");
  const second = registerSecrets("-----\nshared-line-of-two-keys\ny");
  first();
  expect(containsSecret("shared-line-of-two-keys")).toBe(true);
  second();
  expect(containsSecret("shared-line-of-two-keys")).toBe(false);
});

it("finds encoded forms and ignores absent values", () => {
  const undo = registerSecrets("register me!", "", undefined);
  expect(containsSecret("q=register%20me!&x")).toBe(true);
  expect(containsSecret("q=register+me%21&x")).toBe(true);
  undo();
});

it("refuses a short value by its place, never shows it, and then registers none of the others", () => {
  expect(() => registerSecrets("long enough", "hunt2")).toThrow(
    new TypeError(
      "secret 1 of registerSecrets is too short: 6 characters are needed, or ordinary words would be taken for it. Use a longer secret",
    ),
  );
  expect(containsSecret("long enough")).toBe(false);
  const undo = registerSecrets("hunt22");
  expect(containsSecret("password=hunt22;")).toBe(true);
  undo();
});

it.each([null, 12_345_678, {}, ["long-enough-secret"]])(
  "registerSecrets refuses %s, which is not a string",
  (value) => {
    expect(() => registerSecrets(value as never)).toThrow(/secret 0 of registerSecrets is not a string/);
  },
);

describe("joinSecrets", () => {
  const one = createSecretFilter(["correct horse"]);
  const other = createSecretFilter(["battery staple", "hunter2-horse"]);

  it("finds the secrets of both", () => {
    const both = joinSecrets(one, other);
    expect(["a correct horse", "a battery staple", "a horse"].map((text) => both.has(text))).toStrictEqual([
      true,
      true,
      false,
    ]);
    expect(both.size).toBe(3);
  });

  it("is the only one there is, or none", () => {
    expect([
      joinSecrets(one, undefined),
      joinSecrets(undefined, other),
      joinSecrets(undefined, undefined),
    ]).toStrictEqual([one, other, undefined]);
  });
});

it("looks for the secrets of a filter besides those of the process", () => {
  const secrets = createSecretFilter(["correct horse"]);
  expect([containsSecret("a correct horse", secrets), containsSecret("a horse", secrets)]).toStrictEqual([true, false]);
  expect(containsSecret("a correct horse")).toBe(false);
});

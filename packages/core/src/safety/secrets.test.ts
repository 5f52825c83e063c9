import { describe, expect, it } from "vitest";
import { containsSecret, createSecretFilter, findSecrets, joinSecretFilters, registerSecrets } from "./secrets.ts";

describe("createSecretFilter", () => {
  it.each([
    ["as it is", "correct horse/battery"],
    ["in JSON", JSON.stringify({ a: 'correct horse/battery"x' }), 'correct horse/battery"x'],
    ["in an address", "correct%20horse%2Fbattery"],
    ["in an address with escapes in lower case", "correct%20horse%2fbattery"],
    [
      "in an address with every character as an escape",
      Buffer.from("correct horse/battery").toString("hex").replaceAll(/../g, "%$&"),
    ],
    ["in a web form", "correct+horse%2Fbattery"],
    ["in hex", Buffer.from("correct horse/battery").toString("hex")],
    ["in hex with capitals", Buffer.from("correct horse/battery").toString("hex").toUpperCase()],
    ["in base64", Buffer.from("correct horse/battery").toString("base64")],
    ["in base64 after one byte", Buffer.from("acorrect horse/battery!").toString("base64")],
    ["in base64 after two bytes", Buffer.from("abcorrect horse/battery!!").toString("base64")],
    ["in base64 for addresses", Buffer.from("\u00fe\u00ffcorrect").toString("base64url"), "\u00fe\u00ffcorrect"],
  ])("finds a secret %s", (_form, text, secret = "correct horse/battery") => {
    expect(createSecretFilter([secret]).has(`It said ${text} there.`)).toBe(true);
  });

  it("ignores values shorter than six characters and counts each of the others once", () => {
    const filter = createSecretFilter(["12345", "abcdef", "abcdef"]);
    expect([filter.size, filter.has("12345"), filter.has("xabcdefx")]).toStrictEqual([1, false, true]);
    expect(createSecretFilter([]).has("anything")).toBe(false);
  });

  it.each([
    ["invisible characters", "hunter\u200b2-horse\u2060!"],
    ["full-width letters", "ｈｕｎｔｅｒ２-horse!"],
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

describe("joinSecretFilters", () => {
  const one = createSecretFilter(["correct horse"]);
  const other = createSecretFilter(["battery staple", "hunter2-horse"]);

  it("finds the secrets of both", () => {
    const both = joinSecretFilters(one, other);
    expect(["a correct horse", "a battery staple", "a horse"].map((text) => both.has(text))).toStrictEqual([
      true,
      true,
      false,
    ]);
    expect(both.size).toBe(3);
  });

  it("is the only one there is, or none", () => {
    expect([
      joinSecretFilters(one, undefined),
      joinSecretFilters(undefined, other),
      joinSecretFilters(undefined, undefined),
    ]).toStrictEqual([one, other, undefined]);
  });
});

it("looks for the secrets of a filter besides those of the process", () => {
  const secrets = createSecretFilter(["correct horse"]);
  expect([containsSecret("a correct horse", secrets), containsSecret("a horse", secrets)]).toStrictEqual([true, false]);
  expect(containsSecret("a correct horse")).toBe(false);
});

it("searches for the lines of a key that belong to this key only", () => {
  const key =
    "-----BEGIN TEST KEY-----\r\n  abcdefghijklmnop\nfifteen-letters\n\nqrstuvwxyz-012345-----\n-----END TEST KEY-----";
  const filter = createSecretFilter([key]);
  const lines = ["abcdefghijklmnop", "qrstuvwxyz-012345-----", "fifteen-letters", "-----BEGIN TEST KEY-----"];
  expect(lines.map((line) => filter.has(`a ${line} b`))).toEqual([true, true, false, false]);
});

it("finds a secret of several words where a text became one line", () => {
  expect(createSecretFilter(["correct\n  horse"]).has("a correct horse b")).toBe(true);
});

it("finds strings that share their start, their end, or all but one character", () => {
  const texts = Array.from({ length: 300 }, (_, i) => `prefix-${i}-suffix`);
  const filter = createSecretFilter(texts);
  expect(texts.filter((text) => !filter.has(`a ${text} b`))).toEqual([]);
  expect(["prefix-300-suffix", "prefix--suffix", "prefix-1-suffi"].filter((text) => filter.has(text))).toEqual([]);
});

it("finds a registered value whose start stands in another one, until it is taken back", () => {
  const undo = registerSecrets("abcdef");
  const undoOther = registerSecrets("abcdefgh", "xxabcdef");
  undo();
  expect(["abcdef", "abcdefgh", "xxabcdef"].map((text) => containsSecret(text))).toEqual([false, true, true]);
  undoOther();
  expect(containsSecret("abcdefgh")).toBe(false);
});

it("finds strings of all characters, also beyond 16 bits", () => {
  const filter = createSecretFilter(["😀😀😀"]);
  expect([filter.has("a😀😀😀b"), filter.has("😀😀a😀")]).toEqual([true, false]);
});

it("asks a filter of other code for each word", () => {
  const secrets = { size: 1, has: (text: string) => text.includes("hunter2") };
  expect([...findSecrets({ text: "It was hunter2, twice hunter2." }, secrets)]).toEqual([
    { start: 7, end: 15 },
    { start: 22, end: 30 },
  ]);
  expect(containsSecret("nothing", secrets)).toBe(false);
});

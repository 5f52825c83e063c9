import { describe, expect, it } from "vitest";
import {
  containsSecret,
  createSecretFilter,
  formsToSearch,
  joinSecretFilters,
  MIN_SECRET_LENGTH,
  registerSecrets,
  StringSearch,
} from "./secrets.ts";

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

it.each<[what: string, secret: string, forms: readonly string[]]>([
  ["as it is", "hunter2-horse", ["hunter2-horse"]],
  ["with the spaces of a web form", "correct horse", ["correct horse", "correct+horse"]],
  ["without spaces at its ends", " hunter2\t", [" hunter2\t", "+hunter2\t", "hunter2"]],
  ["with compatibility characters replaced", "ｈunter2", ["ｈunter2", "hunter2"]],
  ["with half characters replaced", "hunter2\ud800", ["hunter2\ud800", "hunter2\ufffd"]],
  ["not where a form is too short", " hunt2", [" hunt2", "+hunt2"]],
])("searches for a secret %s", (_what, secret, forms) => {
  expect([...formsToSearch(secret)]).toStrictEqual(forms);
});

it("searches for the lines of a key that belong to this key only", () => {
  const key =
    "-----BEGIN TEST KEY-----\r\n  abcdefghijklmnop\nfifteen-letters\n\nqrstuvwxyz-012345\n-----END TEST KEY-----";
  const forms = formsToSearch(key);
  expect([...forms].filter((form) => !form.includes("\n"))).toStrictEqual(["abcdefghijklmnop", "qrstuvwxyz-012345"]);
});

it("searches for a line that only ends in dashes", () => {
  expect(formsToSearch("abcdefghijkl-----\nx")).toContain("abcdefghijkl-----");
});

it.each(["\r", "\n"])("takes %j for the end of a line", (end) => {
  expect(formsToSearch(`abcdefghijklmnop${end}x`)).toContain("abcdefghijklmnop");
});

function searchFor(...texts: readonly string[]): StringSearch {
  const search = new StringSearch();
  for (const text of texts) search.add(text);
  return search;
}

describe("StringSearch", () => {
  it("finds nothing before a string was added", () => {
    const search = new StringSearch();
    expect([search.foundIn("abcdef"), search.foundIn(""), search.shortest]).toStrictEqual([
      false,
      false,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it("finds a string at the start, in the middle, at the end, and alone", () => {
    const search = searchFor("needle");
    const texts = ["needle", "needle in hay", "hay needle hay", "hay needle", "neeneedle"];
    expect(texts.filter((text) => search.foundIn(text))).toStrictEqual(texts);
    expect(["needl", "eedle", "need le", "Needle", "elneed"].filter((text) => search.foundIn(text))).toStrictEqual([]);
  });

  it("knows the shortest string that was ever added", () => {
    const search = searchFor("a longer one", "needle", "another one");
    expect(search.shortest).toBe(MIN_SECRET_LENGTH);
    search.remove("needle");
    expect(search.shortest).toBe(MIN_SECRET_LENGTH);
  });

  it("finds strings that share their start, their end, or all but one character", () => {
    const texts = Array.from({ length: 300 }, (_, i) => `prefix-${i}-suffix`);
    const search = searchFor(...texts);
    expect(texts.filter((text) => !search.foundIn(`a ${text} b`))).toStrictEqual([]);
    expect(
      ["prefix-300-suffix", "prefix--suffix", "prefix-1-suffi"].filter((text) => search.foundIn(text)),
    ).toStrictEqual([]);
  });

  it("finds a string whose anchor stands in another one", () => {
    const search = searchFor("abcdef", "abcdefgh", "xxabcdef");
    search.remove("abcdef");
    expect([search.foundIn("abcdef"), search.foundIn("abcdefgh"), search.foundIn("xxabcdef")]).toStrictEqual([
      false,
      true,
      true,
    ]);
  });

  it("keeps strings apart that can have the same anchor only", () => {
    const search = searchFor("a".repeat(6), "a".repeat(8), "a".repeat(10));
    search.remove("a".repeat(6));
    expect([7, 8, 10].map((length) => search.foundIn("a".repeat(length)))).toStrictEqual([false, true, true]);
    search.remove("a".repeat(8));
    expect([8, 9, 10].map((length) => search.foundIn("a".repeat(length)))).toStrictEqual([false, false, true]);
    search.remove("a".repeat(10));
    expect(search.foundIn("a".repeat(10))).toBe(false);
  });

  it("finds a string until each addition was taken back", () => {
    const search = searchFor("needle", "needle");
    search.remove("needle");
    expect(search.foundIn("needle")).toBe(true);
    search.remove("needle");
    expect(search.foundIn("needle")).toBe(false);
    search.remove("needle");
    search.add("needle");
    expect(search.foundIn("needle")).toBe(true);
  });

  it("finds strings of all characters, also beyond 16 bits", () => {
    const search = searchFor("😀😀😀", "\u0000\uffff\u0000\uffff\u0000\uffff");
    expect([search.foundIn("a😀😀😀b"), search.foundIn("\u0000\uffff\u0000\uffff\u0000\uffff")]).toStrictEqual([
      true,
      true,
    ]);
    expect(search.foundIn("😀😀a😀")).toBe(false);
  });
});

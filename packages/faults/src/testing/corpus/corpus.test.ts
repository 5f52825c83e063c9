import { describe, expect, it } from "vitest";
import { benign } from "./benign.ts";
import { leakCategories, leaks, makeLeaks } from "./leaks.ts";
import { alnum, randomFor, toBase64, toBase64Url, toIban, withLuhn } from "./values.ts";

const duplicatesIn = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);

describe("the generator of values", () => {
  it("gives the same values for the same name, and other values for another name", () => {
    expect(alnum(64)(randomFor("a"))).toBe(alnum(64)(randomFor("a")));
    expect(alnum(64)(randomFor("a"))).not.toBe(alnum(64)(randomFor("b")));
  });

  it("stays below the limit and reaches every value", () => {
    const random = randomFor("spread");
    const drawn = new Set(Array.from({ length: 2000 }, () => random.below(16)));
    expect([...drawn].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, index) => index));
  });

  it("encodes values and computes check digits as the standards say", () => {
    expect(toBase64("Grüße")).toBe("R3LDvMOfZQ==");
    expect(toBase64Url("Grüße??>")).toBe("R3LDvMOfZT8_Pg");
    expect(withLuhn("7992739871")).toBe("79927398713");
    expect(toIban("GB", "WEST12345698765432")).toBe("GB82WEST12345698765432");
  });
});

describe("leaks", () => {
  it("are many, in every category", () => {
    expect(leaks.length).toBeGreaterThanOrEqual(230);
    for (const category of leakCategories) {
      expect(leaks.filter((leak) => leak.category === category).length, category).toBeGreaterThanOrEqual(15);
    }
  });

  it("have unique ids and texts", () => {
    expect(duplicatesIn(leaks.map((leak) => leak.id))).toEqual([]);
    expect(duplicatesIn(leaks.map((leak) => leak.text))).toEqual([]);
  });

  it("are the same on every run", () => {
    expect(makeLeaks()).toEqual(leaks);
  });

  it("leave no placeholder unfilled", () => {
    expect(leaks.filter((leak) => /\{\d\}/.test(leak.text)).map((leak) => leak.id)).toEqual([]);
  });

  it("each have canaries that their text contains", () => {
    // A control character counts although it is short: it has no longer form.
    const sound = (canary: string) => canary.length >= 4 || /^\p{C}/u.test(canary);
    const wrong = leaks.filter(({ text, canaries }) => {
      return canaries.length === 0 || !canaries.every((canary) => sound(canary) && text.includes(canary));
    });
    expect(wrong.map((leak) => leak.id)).toEqual([]);
  });
});

describe("benign texts", () => {
  it("are many, and many of them are messages of public servers", () => {
    expect(benign.length).toBeGreaterThanOrEqual(140);
    expect(benign.filter((entry) => entry.source !== undefined).length).toBeGreaterThanOrEqual(60);
  });

  it("have unique ids and texts", () => {
    expect(duplicatesIn(benign.map((entry) => entry.id))).toEqual([]);
    expect(duplicatesIn(benign.map((entry) => entry.text))).toEqual([]);
  });

  it("are single printable lines", () => {
    expect(benign.filter((entry) => /\p{C}/u.test(entry.text) || entry.text.trim() !== entry.text)).toEqual([]);
  });

  it("share nothing with the leaks", () => {
    const canaries = leaks.flatMap((leak) => leak.canaries);
    expect(benign.filter((entry) => leaks.some((leak) => leak.text === entry.text))).toEqual([]);
    expect(benign.filter((entry) => canaries.some((canary) => entry.text.includes(canary)))).toEqual([]);
  });
});

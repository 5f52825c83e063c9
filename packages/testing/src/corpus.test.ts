import { describe, expect, it } from "vitest";
import { benign, leaks, makeLeaks } from "./corpus.ts";
import { changeValue, drawValue, seededDraw } from "./templates.ts";

const duplicatesIn = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);

describe("the generator of values", () => {
  it("gives the same values for the same name, and other values for another name", () => {
    const value = (seed: string) => drawValue("<alnum 64>", seededDraw(seed));
    expect(value("a")).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(value("a")).toBe(value("a"));
    expect(value("a")).not.toBe(value("b"));
  });

  it("stays below the limit and reaches every value", () => {
    const draw = seededDraw("spread");
    const drawn = new Set(Array.from({ length: 2000 }, () => draw(16)));
    expect([...drawn].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, index) => index));
  });

  it("encodes values and computes check digits as the standards say", () => {
    expect(changeValue("Grüße", "base64")).toBe("R3LDvMOfZQ==");
    expect(changeValue("Grüße??>", "base64url")).toBe("R3LDvMOfZT8_Pg");
    expect(changeValue("7992739871", "luhn")).toBe("79927398713");
    expect(changeValue("WEST12345698765432", "iban GB")).toBe("GB82WEST12345698765432");
  });

  it("says which change it does not know", () => {
    expect(() => changeValue("x", "rot14")).toThrow("no change is called rot14");
  });
});

describe("leaks", () => {
  it("are many, in every category", () => {
    expect(leaks.length).toBeGreaterThanOrEqual(230);
    const categories = new Set(leaks.map((leak) => leak.category));
    expect(categories.size).toBe(10);
    for (const category of categories) {
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
    const placeholder = /\{(?:\d|\*\d+:[^}]+)?\}|<\w+ \d+>|<plainPassword>/;
    expect(leaks.filter((leak) => placeholder.test(leak.text)).map((leak) => leak.id)).toEqual([]);
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

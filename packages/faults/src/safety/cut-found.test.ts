import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CUT, cutFound, cutFoundWords } from "./cut-found.ts";
import { containsSecret, createSecretFilter } from "./secrets.ts";

const SECRET = "s3cr3t-t0ken-value";
const filter = createSecretFilter([SECRET, "line one\nline two", "hunter2hunter2"]);
const cut = (text: string) => cutFound(text, (part) => containsSecret(part, filter));

describe("cutFound", () => {
  it.each([
    ["a plain value", `key ${SECRET} refused`, `key ${CUT} refused`],
    ["several", `${SECRET}, then ${SECRET}.`, `${CUT}, then ${CUT}.`],
    ["base64", `Basic ${btoa(`app:${SECRET}`)} refused`, `Basic ${CUT}== refused`],
    ["percent escapes", `q=${SECRET.replaceAll("-", "%2D")}&r=1`, `q=${CUT}&r=1`],
    ["several lines", "before\nline one\nline two\nafter", `before\n${CUT}\nafter`],
    ["a value over two lines", "a hunter2\nhunter2 z", `a ${CUT} z`],
    ["a value that overlaps itself", "hunter2hunter2hunter2", CUT],
    ["nothing", "nothing here", "nothing here"],
  ])("cuts %s and keeps the rest", (_, text, kept) => {
    expect(cut(text)).toBe(kept);
  });

  it("leaves nothing to be found, in long texts with many", () => {
    const text = Array.from({ length: 500 }, (_, index) => `${index} ${SECRET} ${btoa(SECRET)} `).join("\n");
    const began = process.cpuUsage();
    const out = cut(text);
    expect(filter.has(out)).toBe(false);
    expect(out.startsWith(`0 ${CUT} ${CUT} \n1 ${CUT}`)).toBe(true);
    // Own time, with room for the secrets that other tests of the process registered.
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(10_000);
  });

  it("leaves no form of a secret in any text, and all of a text without one", () => {
    const forms = [SECRET, btoa(SECRET), encodeURIComponent(SECRET), Buffer.from(SECRET).toString("hex")];
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...forms, " ", "\n"))), (parts) => {
        const text = parts.join("");
        const out = cut(text);
        expect(filter.has(out)).toBe(false);
        if (!filter.has(text)) expect(out).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it("searches a text only a few times, however much is found in it", () => {
    for (const size of [1_000, 4_000, 16_000]) {
      for (const unit of [`${SECRET} `, `${SECRET}`, `some words ${btoa(SECRET)} `, "x"]) {
        const text = unit.repeat(size / unit.length);
        let searched = 0;
        cutFound(text, (part) => {
          searched += part.length;
          return containsSecret(part, filter);
        });
        expect(searched / text.length).toBeLessThan(30);
      }
    }
  });

  it("cuts what goes across the places at which it divides a text", () => {
    for (let before = 0; before < 300; before++) {
      const text = `${"a ".repeat(before)}${SECRET} ${"b ".repeat(150)}${SECRET} c`;
      expect(cut(text)).toBe(text.replaceAll(SECRET, CUT));
    }
  });

  it("gives up on a test that nothing satisfies", () => {
    expect(cutFound("abc", () => true)).toBe(CUT);
  });
});

describe("cutFoundWords", () => {
  const isLong = (part: string) => /[a-z]{8}|be careful/.test(part);
  it.each([
    ["one abcdefghij two", `one ${CUT} two`],
    ['{"a":"abcdefghij","b":"abcdefgh"}', `{"a":"${CUT}","b":"${CUT}"}`],
    ["you must be careful now", `you must ${CUT} now`],
    ["abcdefgh", CUT],
    ["nothing", "nothing"],
  ])("cuts words out of %s", (text, kept) => {
    expect(cutFoundWords(text, isLong)).toBe(kept);
  });
});

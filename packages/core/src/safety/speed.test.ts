import { expectCost } from "@recourse/test-kit/yardstick";
import { describe, expect, it } from "vitest";
import { readCallerTexts } from "./caller-texts.ts";
import { installTextFilter } from "./full-search.ts";
import { createSecretFilter } from "./secrets.ts";
import { showLine } from "./show-line.ts";

// Hostile text must not cost more than it is worth: what lies beyond the window is never looked at. A search that goes over
// the text again and again needs far more than these limits.

installTextFilter();
const secrets = createSecretFilter(["hunter2-horse", "six666"]);
const MEGABYTE = 1 << 20;
const UNITS =
  'a|@|a.|://|\u200b| |x=|QUJD|aB3/|\n|%41|\\|\\u0041|\ufdfa|1|1-|a-|a_|Aa |/a|a:|0:|"|<a |at a.|SELECT |ignore |password |password=|https://a|send all |the word |\u0301|[a](|1.|user_id: |игнор |host the_|😀\u200d|&#65;|\ud800|{{|![|a::|Error: |(1) |*|…|a@a.|--a |is |0x0|eyJ|-----|%2541|%26%2365;|\\\\u0041|41424344|UVVKRFJFVkc|ﬁ&#65;%41'.split(
    "|",
  );

/** One simple pass over a text. */
const passOver = (text: string) => Array.from(text);

describe("one megabyte", () => {
  it.each(UNITS)("of %j costs little", async (unit) => {
    const text = unit.repeat(Math.ceil(MEGABYTE / unit.length));
    await expectCost({
      work: () => showLine(text, { max: 480, role: "quote" }, { secrets }),
      yardstick: () => passOver(text.slice(0, MEGABYTE / 16)),
      atMost: 300,
    });
  });
});

it("searches hardly longer for thousands of secrets that start alike", async () => {
  const many = createSecretFilter(Array.from({ length: 5000 }, (_, i) => `vendor-prefix-${i}-suffix`));
  const text = "vendor-prefix-".repeat(300).slice(0, 4096);
  const one = createSecretFilter(["vendor-prefix-1-suffix"]);
  // Different texts, since the answer for a text is remembered.
  const texts = Array.from({ length: 20 }, (_, i) => `${text}${i}`);
  const search = (filter: typeof many) => texts.map((some) => filter.has(some));
  expect(search(many)).not.toContain(true);
  await expectCost({ work: () => search(many), yardstick: () => search(one), atMost: 20 });
  expect([many.size, many.has(`${text}4321-suffix`)]).toStrictEqual([5000, false]);
  expect(many.has(`${text} vendor-prefix-4321-suffix`)).toBe(true);
});

describe("texts of the caller", () => {
  const sentence = (text: string) => text.repeat(Math.ceil(4096 / text.length)).slice(0, 4096);
  const texts = [
    "/a",
    "/etc/x ",
    "a@b.example ",
    "SELECT * FROM x ",
    "password=",
    "10.0.0.1 ",
    "\\u0041",
    "a b ",
    "aB3/",
    "'/etc/a' ",
  ];

  it.each(texts)("a hundred arguments of 10 kB and a text of %j cost little", async (unit) => {
    const text = sentence(unit);
    const long = Array.from({ length: 50 }, (_, i) => `${i}${text}`.repeat(3).slice(0, 10_000));
    const short = Array.from({ length: 50 }, (_, i) => unit.trim().padEnd(3, unit) + (i < 25 ? "" : i));
    const callerTexts = readCallerTexts([...long, ...short.slice(1), text]);
    expect(callerTexts).toHaveLength(100);
    await expectCost({
      work: () => showLine(text, { max: 480, role: "quote" }, { callerTexts }),
      yardstick: () => long.map(passOver),
      atMost: 50,
    });
  });
});

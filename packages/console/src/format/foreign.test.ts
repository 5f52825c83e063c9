import { expectCost } from "@recourse/test-kit/yardstick";
import { expect, test } from "vitest";
import { showEveryHidden, showHidden } from "./foreign.ts";

test.each([
  ["plain text, with\nlines and\ttabs", "plain text, with\nlines and\ttabs"],
  ["a\u202Eb\u202Cc", "a⟨U+202E⟩b⟨U+202C⟩c"],
  ["\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"],
  ["a\u0000b\u0007c\u001b[31m", "a⟨U+0000⟩b⟨U+0007⟩c⟨U+001B⟩[31m"],
  ["zero\u200bwidth\ufeff", "zero⟨U+200B⟩width⟨U+FEFF⟩"],
  ["tag\u{e0041}", "tag⟨U+E0041⟩"],
  ["soft\u00adhyphen", "soft⟨U+00AD⟩hyphen"],
  ["half\ud83d", "half\ufffd"],
  ["Größe 日本 العربية 😀", "Größe 日本 العربية 😀"],
  ["wide\u3000and\u00a0hard\u2800", "wide⟨U+3000⟩and⟨U+00A0⟩hard⟨U+2800⟩"],
  ["⚠\ufe0f wait 👩\u200d💻 a\ufe0f", "⚠\ufe0f wait 👩\u200d💻 a⟨U+FE0F⟩"],
  ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
])("%j is shown as %j", (text, shown) => {
  expect(showHidden(text)).toBe(shown);
});

test("what a person decides about shows what shapes an emoji too", () => {
  expect(showEveryHidden("👍\u200d 12\u00a0EUR\u0007")).toBe("👍⟨U+200D⟩ 12⟨U+00A0⟩EUR⟨U+0007⟩");
});

test("a megabyte with a hidden character at every third place is shown fast", async () => {
  const text = "\u202Eab".repeat(333_333);
  expect(showHidden(text)).toHaveLength(3_333_330);
  await expectCost({
    work: () => showHidden(text),
    yardstick: () => text.replaceAll(/\u202E/gu, (hidden) => `<${hidden.charCodeAt(0)}>`),
    atMost: 10,
  });
});

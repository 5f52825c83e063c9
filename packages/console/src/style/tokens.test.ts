import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
/** The light theme, the dark one by the system's choice, and the dark one by the person's choice. */
const [light, dark, chosenDark] = [...css.matchAll(/:root[^{]*\{([^}]*)\}/g)].map(([, body = ""]) => readTokens(body));

function readTokens(body: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Text needs 4.5, on each surface that it stands on; shapes need 3. */
const PAIRS: readonly (readonly [front: string, back: string, least: number])[] = [
  ...["text", "text2", "text3", "accent", "bad", "warn", "good", "hold"].flatMap(
    (name) =>
      [
        [name, "surface", 4.5],
        [name, "canvas", 4.5],
      ] as const,
  ),
  ...["text", "text2", "text3"].map((name) => [name, "sunken", 4.5] as const),
  ...["accent", "bad", "warn", "good", "hold"].flatMap(
    (name) =>
      [
        [name, `${name}-bg`, 4.5],
        ["text", `${name}-bg`, 4.5],
        ["text2", `${name}-bg`, 4.5],
      ] as const,
  ),
  ["on-accent", "accent", 4.5],
  ["edge", "surface", 3],
  ...["c0", "c1", "c2", "c3", "c4", "c5"].map((name) => [name, "surface", 3] as const),
];

describe.each([
  ["light", light],
  ["dark", dark],
])("%s", (_, tokens = {}) => {
  test.each(PAIRS)("%s on %s has a contrast of at least %d", (front, back, least) => {
    expect(contrast(tokens[front] ?? "", tokens[back] ?? "")).toBeGreaterThanOrEqual(least);
  });
});

test("dark is the same, whoever chose it, and has every colour of light", () => {
  expect(chosenDark).toEqual(dark);
  expect(Object.keys(dark ?? {})).toEqual(Object.keys(light ?? {}));
});

test("the ratios of the design", () => {
  expect(contrast(light?.["text"] ?? "", "#ffffff")).toBeCloseTo(17.8, 1);
  expect(contrast(light?.["text3"] ?? "", "#ffffff")).toBeCloseTo(5.4, 1);
  expect(contrast(dark?.["text"] ?? "", dark?.["surface"] ?? "")).toBeCloseTo(15.1, 1);
});

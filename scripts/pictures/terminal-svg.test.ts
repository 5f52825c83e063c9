import { expect, it } from "vitest";
import { drawTerminal, PICTURE_COLORS, readRuns } from "./terminal-svg.ts";

const ESC = "\u001b";

it("takes a line apart by style, and keeps the columns", () => {
  const { runs, end } = readRuns(`  ${ESC}[1m${ESC}[31mbad${ESC}[39m${ESC}[22m  rest ${ESC}[2mdim`);
  expect(runs).toEqual([
    { column: 2, text: "bad", color: "red", isBold: true },
    { column: 5, text: "  rest ", color: "text", isBold: false },
    { column: 12, text: "dim", color: "dim", isBold: false },
  ]);
  expect(end).toEqual({ color: "dim", isBold: false });
});

it("draws letters as text, whatever they are", () => {
  const svg = drawTerminal(`\n<script> & ${ESC}[32m✔${ESC}[39m\n\n`, { scheme: "dark", width: 40, title: "a < b" });
  expect(svg).toContain("<title>a &lt; b</title>");
  expect(svg).toContain(">&lt;script&gt; &amp;</text>");
  expect(svg).toContain('class="green">✔</text>');
  expect(svg).not.toContain(ESC);
});

/** The luminance of a colour, as WCAG counts it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

it.each(Object.entries(PICTURE_COLORS))("%s: every text has a contrast of 4.5 or more", (_, colors) => {
  const { page, line: _line, ...texts } = colors;
  for (const [name, color] of Object.entries(texts)) {
    const [darker = 0, lighter = 0] = [luminance(page), luminance(color)].toSorted((a, b) => a - b);
    expect((lighter + 0.05) / (darker + 0.05), name).toBeGreaterThanOrEqual(4.5);
  }
});

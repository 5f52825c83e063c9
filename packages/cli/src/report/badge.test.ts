import { describe, expect, it } from "vitest";
import { elementsNamed, readXml } from "../../test/support/read-xml.ts";
import { GRADES } from "../judge/score.ts";
import { BADGE_COLORS, badgeSvg } from "./badge.ts";

/** The relative luminance of a colour, as WCAG computes it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("badgeSvg", () => {
  it("says the grade and the score, to the eye and to a screen reader", () => {
    const svg = readXml(badgeSvg({ score: 97, atMost: 97, grade: "A", interrupted: false }));
    expect(svg.attributes).toMatchObject({
      role: "img",
      "aria-label": "How this MCP server fails: 97 of 100, grade A",
    });
    expect(elementsNamed(svg, "title").map(({ text }) => text)).toEqual([svg.attributes["aria-label"]]);
    expect(elementsNamed(svg, "text").map(({ text }) => text)).toEqual(["recourse", "A 97"]);
  });

  it.each([
    [{ score: 80, atMost: 80, grade: "B?", interrupted: false }, "B? 80"],
    [{ score: 80, atMost: 80, grade: "B", interrupted: true }, "B? 80"],
    [{ score: 0, atMost: 0, grade: "F", interrupted: false }, "F 0"],
    [{ score: 100, atMost: 100, grade: "A", interrupted: false }, "A 100"],
    [{ score: 0, atMost: 83, grade: "?", interrupted: false }, "0 to 83"],
  ])("writes %j as %s, within its box", (report, shown) => {
    const svg = readXml(badgeSvg(report));
    const [name, value] = elementsNamed(svg, "text");
    expect(value?.text).toBe(shown);
    expect(svg.attributes["aria-label"]?.includes("not sure")).toBe(shown.includes("?"));
    const [left, right] = elementsNamed(elementsNamed(svg, "g")[0] ?? svg, "rect").map(({ attributes }) =>
      Number(attributes["width"]),
    );
    expect(Number(name?.attributes["textLength"])).toBeLessThan(left ?? 0);
    expect(Number(value?.attributes["textLength"])).toBeLessThan(right ?? 0);
    expect(Number(svg.attributes["width"])).toBe((left ?? 0) + (right ?? 0));
  });

  it("has a colour of its own for every grade, on which white can be read", () => {
    expect(Object.keys(BADGE_COLORS)).toEqual(GRADES.map(([grade]) => grade));
    for (const color of Object.values(BADGE_COLORS)) {
      expect(1.05 / (luminance(color) + 0.05)).toBeGreaterThan(4.5);
      expect(badgeSvg({ score: 1, atMost: 1, grade: "A", interrupted: false }).split(color).length).toBeLessThanOrEqual(
        2,
      );
    }
    expect(new Set(Object.values(BADGE_COLORS)).size).toBe(GRADES.length);
  });
});

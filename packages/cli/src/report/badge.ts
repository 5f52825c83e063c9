import { html } from "./html/markup.ts";
import { type Report, scoreText } from "./report.ts";

/** The colour of each grade. White text on it is readable: the contrast is at least 4.5. */
export const BADGE_COLORS: Readonly<Record<string, string>> = {
  A: "#2a7d3f",
  B: "#4f7a1c",
  C: "#8a6a00",
  D: "#b04a12",
  F: "#b3261e",
};
/** For a grade that is not in the table. */
const BADGE_OTHER = "#5c6370";
const BADGE_LEFT = "#3f4650";
const BADGE_NAME = "recourse";

/** Widths of Verdana at 11 pixels. The text is stretched to it, so that another font fits as well. */
const LETTER_WIDTH = 7;
const BADGE_PADDING = 6;

/** The score as a badge: one SVG file that loads nothing. A grade that is not sure keeps its question mark. */
export function badgeSvg(report: Pick<Report, "score" | "atMost" | "grade" | "interrupted">): string {
  const { score, grade, interrupted } = report;
  const sure = interrupted && !grade.endsWith("?") ? `${grade}?` : grade;
  const isGraded = grade !== "?";
  const value = isGraded ? `${sure} ${score}` : scoreText(report);
  const title = `How this MCP server fails: ${isGraded ? `${score} of 100, grade ${sure.replace("?", ", not sure")}` : `${value} of 100, not graded`}`;
  const left = BADGE_NAME.length * LETTER_WIDTH + 2 * BADGE_PADDING;
  const right = value.length * LETTER_WIDTH + 2 * BADGE_PADDING;
  const label = (text: string, x: number) =>
    html`<text x="${x}" y="14" textLength="${text.length * LETTER_WIDTH}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="${BADGE_LEFT}"/><rect x="${left}" width="${right}" height="20" fill="${
    BADGE_COLORS[sure.charAt(0)] ?? BADGE_OTHER
  }"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle" aria-hidden="true">${[
    label(BADGE_NAME, left / 2),
    label(value, left + right / 2),
  ]}</g>
</svg>
`.text;
}

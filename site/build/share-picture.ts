// The picture that other sites show beside a link to a page: an SVG of 1200 × 630, in one of three templates.

import { SITE_URL } from "../content/address.ts";
import type { SitePage } from "../content/page.ts";
import { measureText } from "../figures/measure.ts";

/** The size that previews expect. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** What a picture says. */
export interface SharePicture {
  /** Small, above the title: where the page belongs. */
  readonly label: string;
  readonly title: string;
  /** In the type of code: the name of a reason or a check. */
  readonly code?: string;
  readonly text: string;
  /** The colour of the bar at the left. */
  readonly accent: string;
}

const TEMPLATES = {
  page: { label: "Documentation", accent: "#2a55c9" },
  reason: { label: "Error", accent: "#b3261e" },
  check: { label: "Check", accent: "#17693f" },
} as const;

/** Pages whose name is worth more than a picture of their own: there are many, and few are shared. */
const WITHOUT_PICTURE = /^\/(?:causes|design|reference|conformance)\/[^/]+/;

const LABELS: Readonly<Record<string, string>> = {
  guide: "Guide",
  gateway: "Gateway",
  cli: "Command line",
  dialects: "Dialect",
  compare: "Compare",
  replace: "Replace your layer",
};

/** What the picture of a page says; undefined if the page has none of its own. */
export function describePicture({ source: { address }, title, description }: SitePage): SharePicture | undefined {
  if (WITHOUT_PICTURE.test(address)) return undefined;
  const [, section = "", first, second] = address.split("/");
  if (section === "errors" && second)
    return { ...TEMPLATES.reason, title, code: `${first}/${second}`, text: description };
  if (section === "checks" && first) return { ...TEMPLATES.check, title, code: first, text: description };
  return { ...TEMPLATES.page, label: LABELS[section] ?? TEMPLATES.page.label, title, text: description };
}

/** Breaks a text into lines of a width; what does not fit into the last line is cut. */
export function wrapText(
  text: string,
  options: { size: number; weight: 400 | 600; width: number; lines: number },
): readonly string[] {
  const { size, weight, width, lines: most } = options;
  const fits = (line: string) => measureText(line, { family: "sans", size, weight }) <= width;
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && fits(`${last} ${word}`)) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]} …`];
}

const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Draws a picture. */
export function drawSharePicture({ label, title, code, text, accent }: SharePicture): string {
  const titleLines = wrapText(title, { size: 60, weight: 600, width: 1000, lines: 3 });
  const textLines = wrapText(text, { size: 30, weight: 400, width: 1000, lines: 3 });
  const rows: string[] = [];
  let y = 190;
  const write = (line: string, style: string, height: number) => {
    rows.push(`<text x="100" y="${y}" ${style}>${escapeText(line)}</text>`);
    y += height;
  };
  write(label, `font-size="28" font-weight="600" fill="${accent}"`, 76);
  for (const line of titleLines) write(line, 'font-size="60" font-weight="600" fill="#14181f"', 74);
  if (code !== undefined) write(code, `font-size="30" fill="#454e5c" font-family="'JetBrains Mono', monospace"`, 56);
  y += code === undefined ? -10 : 4;
  for (const line of textLines) if (y < 540) write(line, 'font-size="30" fill="#454e5c"', 44);
  const { width, height } = SHARE_SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter, sans-serif">
<rect width="${width}" height="${height}" fill="#ffffff"/><rect width="16" height="${height}" fill="${accent}"/>
<g transform="translate(100 60) scale(2.2)"><rect width="22" height="22" rx="6" fill="#14181f"/><path d="M6.5 15V7h4.6a2.7 2.7 0 0 1 0 5.4H9.2l5.3 3.6M15.4 12.6v3.6h-3.6" fill="none" stroke="#fff" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/></g>
<text x="168" y="97" font-size="34" font-weight="600" fill="#14181f">Recourse</text>
${rows.join("\n")}
<text x="100" y="585" font-size="24" fill="#616b7a">${SITE_URL.slice("https://".length)}</text>
</svg>
`;
}

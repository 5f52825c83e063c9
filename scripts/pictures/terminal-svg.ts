// Draws the output of a terminal as an SVG.

/** The colours of one drawing. */
interface PictureColors {
  readonly page: string;
  readonly line: string;
  readonly text: string;
  readonly dim: string;
  readonly red: string;
  readonly green: string;
  readonly yellow: string;
  readonly cyan: string;
}

/** Each has a contrast of at least 4.5 to the page. */
export const PICTURE_COLORS = {
  light: {
    page: "#ffffff",
    line: "#d9dde3",
    text: "#1b2027",
    dim: "#545d6a",
    red: "#b3123a",
    green: "#17713b",
    yellow: "#7d5700",
    cyan: "#0b6078",
  },
  dark: {
    page: "#14171b",
    line: "#353c46",
    text: "#e7eaee",
    dim: "#a5afbb",
    red: "#ff7b96",
    green: "#5fcf8b",
    yellow: "#e2b54b",
    cyan: "#7fd3e6",
  },
} as const satisfies Record<string, PictureColors>;

export type PictureScheme = keyof typeof PICTURE_COLORS;

/** What a code of the terminal does to the style. */
const STYLE_CODES: Readonly<Record<string, Partial<TextStyle>>> = {
  "0": { color: "text", isBold: false },
  "1": { isBold: true },
  "2": { color: "dim" },
  "22": { color: "text", isBold: false },
  "31": { color: "red" },
  "32": { color: "green" },
  "33": { color: "yellow" },
  "36": { color: "cyan" },
  "39": { color: "text" },
};

interface TextStyle {
  readonly color: Exclude<keyof PictureColors, "page" | "line">;
  readonly isBold: boolean;
}

/** Letters in one style, and the column that they begin in. */
interface TextRun extends TextStyle {
  readonly column: number;
  readonly text: string;
}

const PLAIN: TextStyle = { color: "text", isBold: false };
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes that are drawn.
const STYLE_CODE = /\u001b\[(\d{1,3})m/;

/** The parts of a line by style. A style may go on in the next line. */
export function readRuns(line: string, start: TextStyle = PLAIN): { runs: readonly TextRun[]; end: TextStyle } {
  const runs: TextRun[] = [];
  let style = start;
  let column = 0;
  for (const [at, part] of line.split(STYLE_CODE).entries()) {
    // Every second part is the number of a code.
    if (at % 2 === 1) style = { ...style, ...STYLE_CODES[part] };
    else if (part !== "") {
      if (part.trim() !== "") runs.push({ ...style, column, text: part });
      column += [...part].length;
    }
  }
  return { runs, end: style };
}

const LETTER = { width: 8.4, height: 19, size: 14 } as const;
const EDGE = 16;

/** Draws lines of a terminal. Letters keep their columns in every font. */
export function drawTerminal(
  output: string,
  { scheme, width, title }: { readonly scheme: PictureScheme; readonly width: number; readonly title: string },
): string {
  const colors = PICTURE_COLORS[scheme];
  const lines = output.replace(/^\n+|\s+$/g, "").split("\n");
  const size = { x: Math.ceil(width * LETTER.width) + 2 * EDGE, y: lines.length * LETTER.height + 2 * EDGE };
  let style = PLAIN;
  const texts = lines.flatMap((line, at) => {
    const { runs, end } = readRuns(line, style);
    style = end;
    const y = EDGE + at * LETTER.height + LETTER.size;
    return runs.map((run) => drawRun(run, y));
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.x} ${size.y}" width="${size.x}" height="${size.y}" role="img">
<title>${escapeXml(title)}</title>
<style>text{font:${LETTER.size}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${colors.text};white-space:pre}.b{font-weight:700}${(
    ["dim", "red", "green", "yellow", "cyan"] as const
  )
    .map((name) => `.${name}{fill:${colors[name]}}`)
    .join("")}</style>
<rect x=".5" y=".5" width="${size.x - 1}" height="${size.y - 1}" rx="8" fill="${colors.page}" stroke="${colors.line}"/>
${texts.join("\n")}
</svg>
`;
}

function drawRun({ column, text, color, isBold }: TextRun, y: number): string {
  const lead = text.length - text.trimStart().length;
  const shown = text.trim();
  const names = [...(isBold ? ["b"] : []), ...(color === "text" ? [] : [color])].join(" ");
  const x = (EDGE + (column + lead) * LETTER.width).toFixed(1);
  const length = ([...shown].length * LETTER.width).toFixed(1);
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${names === "" ? "" : ` class="${names}"`}>${escapeXml(shown)}</text>`;
}

const XML_ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (one) => XML_ESCAPES[one] ?? "");
}

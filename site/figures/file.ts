// Figures as files of their own, for pages without our style sheet.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, WIDTHS } from "./figure.ts";

/** The two colour schemes of the console. */
export const THEMES = ["light", "dark"] as const;
/** One of the colour schemes. */
type Theme = (typeof THEMES)[number];

const TOKENS_FILE = join(import.meta.dirname, "../../packages/console/src/style/tokens.css");
const RULES = { light: /:root \{([^}]*)\}/, dark: /:root\[data-theme="dark"\] \{([^}]*)\}/ } as const;
/** Space between the drawing and the edge of the file. */
const MARGIN = 24;

/** The tokens of a theme by name, as the console defines them. */
export function readTokens(theme: Theme): ReadonlyMap<string, string> {
  const css = readFileSync(TOKENS_FILE, "utf8");
  // Fonts are the same in both themes.
  const bodies = [RULES.light, RULES[theme]].map((rule) => rule.exec(css)?.[1] ?? "");
  return new Map(
    bodies.flatMap((body) =>
      [...body.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value] as const),
    ),
  );
}

/** A figure as a file: wide, in the colours of a theme, on a card of its surface. */
export function renderFile(figure: Figure, theme: Theme): string {
  const tokens = readTokens(theme);
  const { height } = figure.compose("wide");
  const [width, full] = [WIDTHS.wide + 2 * MARGIN, height + 2 * MARGIN];
  const card = `<rect x="${0.5 - MARGIN}" y="${0.5 - MARGIN}" width="${width - 1}" height="${full - 1}" rx="12" fill="var(--surface)" stroke="var(--line)"/>`;
  const svg = figure
    .draw("wide")
    .replace(
      /viewBox="[^"]*" width="\d+" height="\d+"/,
      `viewBox="-${MARGIN} -${MARGIN} ${width} ${full}" width="${width}" height="${full}"`,
    )
    .replace("</desc>", `</desc>\n${card}`)
    .replaceAll(/var\(--([\w-]+)\)/g, (_, name: string) => readToken(tokens, name));
  return `${svg}\n`;
}

function readToken(tokens: ReadonlyMap<string, string>, name: string): string {
  const value = tokens.get(name);
  if (value === undefined) throw new Error(`tokens.css has no --${name}`);
  return value.replaceAll('"', "'");
}

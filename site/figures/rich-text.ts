// Breaks text with a little markup into lines: `code`, **strong** and ==marked==.
import { type Font, measureText } from "./measure.ts";

/** A stretch of text in one style. */
interface Run {
  readonly text: string;
  readonly look: "plain" | "code" | "strong" | "marked";
}

/** A run in a line: where it begins, counted from the begin of the line, and how wide it is. */
export interface PlacedRun extends Run {
  readonly x: number;
  readonly width: number;
}

/** One line of broken text. */
export interface TextLine {
  readonly runs: readonly PlacedRun[];
  readonly width: number;
}

const MARKUP = /(`[^`]+`|\*\*[^*]+\*\*|==[^=]+==)/;
/** A number stays with its unit. */
const UNIT = /(\d) (ms|s)\b/g;
const LOOKS = { "`": "code", "*": "strong", "=": "marked" } as const satisfies Record<string, Run["look"]>;

/** Splits text at its markup. */
function parseRuns(markup: string): readonly Run[] {
  return markup
    .split(MARKUP)
    .filter((part) => part !== "")
    .map((part): Run => {
      if (!MARKUP.test(part)) return { text: part, look: "plain" };
      const look = LOOKS[part[0] as keyof typeof LOOKS];
      const sign = look === "code" ? 1 : 2;
      return { text: part.slice(sign, -sign), look };
    });
}

/** The font of a run within a text. Code in a sentence is a little smaller, so that it looks as large as its neighbours. */
export function runFont(look: Run["look"], font: Font): Font {
  if (look === "strong") return { ...font, weight: 600 };
  if (look !== "code" || font.family === "mono") return font;
  return { ...font, family: "mono", size: Math.max(12, font.size - 1) };
}

/** Breaks text into lines that are at most `width` wide. Words are never broken. */
export function breakLines(markup: string, font: Font, width: number): readonly TextLine[] {
  const lines: Run[][] = [[]];
  let used = 0;
  for (const word of splitWords(parseRuns(markup.replaceAll(UNIT, "$1\u00a0$2")))) {
    const line = lines.at(-1) as Run[];
    const needed = word.reduce((sum, run) => sum + measureText(run.text, runFont(run.look, font)), 0);
    const trailing = measureText(trailingSpace(word), font);
    if (line.length > 0 && used + needed - trailing > width) {
      lines.push([...word]);
      used = needed;
    } else {
      line.push(...word);
      used += needed;
    }
  }
  return lines.map((line) => placeRuns(line, font));
}

/** Words with the space after them. A word may have several looks, as in `code`: it is kept together. */
function splitWords(runs: readonly Run[]): readonly (readonly Run[])[] {
  const words: Run[][] = [];
  let isOpen = false;
  for (const { text, look } of runs) {
    for (const part of text.match(/[^ ]+ *| +/g) ?? []) {
      const run = { text: part.replace(/ +$/, " "), look };
      if (isOpen) words.at(-1)?.push(run);
      else words.push([run]);
      isOpen = !part.endsWith(" ");
    }
  }
  return words;
}

function trailingSpace(word: readonly Run[]): string {
  return word.at(-1)?.text.endsWith(" ") ? " " : "";
}

/** Joins neighbours of one look and says where each begins. */
function placeRuns(line: readonly Run[], font: Font): TextLine {
  const joined: { text: string; look: Run["look"] }[] = [];
  for (const { text, look } of line) {
    const last = joined.at(-1);
    if (last?.look === look) last.text += text;
    else joined.push({ text, look });
  }
  const end = joined.at(-1);
  if (end !== undefined) end.text = end.text.trimEnd();
  let x = 0;
  const runs = joined.map((run): PlacedRun => {
    const width = measureText(run.text, runFont(run.look, font));
    const placed = { ...run, x, width };
    x += width;
    return placed;
  });
  return { runs, width: x };
}

import { cutTo } from "./layout.ts";

/** A stream that text is written to. Write whole lines: secrets and control characters are looked for in each write. */
export interface Output {
  /** Whether a person is looking. @default false */
  readonly isTTY?: boolean | undefined;
  /** The width of the terminal. @default 80 */
  readonly columns?: number | undefined;
  write(text: string): void;
  /** Writes a text from which secrets were removed before. @default write */
  writeCleaned?(text: string): void;
}

/** Environment variables by name. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** How to write for an output: its width, its styles and its signs. */
export interface Terminal {
  readonly width: number;
  readonly styles: Styles;
  readonly symbols: Symbols;
}

/**
 * The terminal behind an output. `options` are those of the command.
 *
 * @example
 * const { width, styles, symbols } = createTerminal(io.stdout, io.env, given.options);
 */
export function createTerminal(
  output: Output,
  env: EnvironmentVariables,
  options: { readonly color?: unknown } = {},
): Terminal {
  const color = isColorChoice(options.color) ? options.color : "auto";
  return {
    width: outputWidth(output, env),
    styles: createStyles({ enabled: usesColor({ output, env, color }) }),
    symbols: symbolsFor(env),
  };
}

/** What `--color` may say. */
export const COLOR_CHOICES = ["auto", "always", "never"] as const;
type ColorChoice = (typeof COLOR_CHOICES)[number];

/** The sequence that begins and the one that ends each style. */
const STYLE_CODES = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const satisfies Record<string, readonly [begin: number, end: number]>;

/** One function for each style. Without colour they return the text unchanged. */
export type Styles = Readonly<Record<keyof typeof STYLE_CODES, (text: string) => string>>;

export function createStyles({ enabled }: { readonly enabled: boolean }): Styles {
  return Object.fromEntries(
    Object.entries(STYLE_CODES).map(([name, [begin, end]]) => [
      name,
      (text: string) => (enabled && text !== "" ? `\u001b[${begin}m${text}\u001b[${end}m` : text),
    ]),
  ) as Styles;
}

/** Whether to use colour: what was typed decides, then `NO_COLOR`, then `FORCE_COLOR`, then whether it is a terminal. */
export function usesColor({
  output,
  env,
  color = "auto",
}: {
  readonly output: Pick<Output, "isTTY">;
  readonly env: EnvironmentVariables;
  readonly color?: ColorChoice | undefined;
}): boolean {
  if (color !== "auto") return color === "always";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return output.isTTY === true && env["TERM"] !== "dumb";
}

const UNICODE_SYMBOLS = {
  tick: "✔",
  cross: "✖",
  warning: "▲",
  info: "ℹ",
  bullet: "•",
  dot: "·",
  arrow: "→",
  ellipsis: "…",
  minus: "−",
  line: "─",
  full: "█",
  empty: "░",
  bars: "▁▂▃▄▅▆▇█",
} as const;

const ASCII_SYMBOLS = {
  tick: "+",
  cross: "x",
  warning: "!",
  info: "i",
  bullet: "*",
  dot: "-",
  arrow: "->",
  ellipsis: "...",
  minus: "-",
  line: "-",
  full: "#",
  empty: ".",
  bars: "_.:-=+*#",
} as const satisfies Record<keyof typeof UNICODE_SYMBOLS, string>;

/** Signs that the output uses. */
type Symbols = Readonly<Record<keyof typeof UNICODE_SYMBOLS, string>>;

/** The signs that a terminal with these environment variables can show. */
export function symbolsFor(env: EnvironmentVariables): Symbols {
  return showsUnicode(env) ? UNICODE_SYMBOLS : ASCII_SYMBOLS;
}

function showsUnicode(env: EnvironmentVariables): boolean {
  // Only the old console of Windows fails, and it sets none of these.
  if (env["OS"] === "Windows_NT")
    return ["WT_SESSION", "TERM_PROGRAM", "ConEmuTask", "CI"].some((name) => Boolean(env[name]));
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"];
  // Containers often set no locale at all, and the terminal in front of them shows everything.
  return locale === undefined || locale === "" ? env["TERM"] !== "linux" : /utf-?8/i.test(locale);
}

function isColorChoice(value: unknown): value is ColorChoice {
  return COLOR_CHOICES.some((one) => one === value);
}

/** Says what the program is doing. */
interface ProgressLine {
  /** What happens now, in a few words. */
  step(text: string): void;
  /** Removes the line. Call it before the result is written. */
  done(): void;
}

/** How progress is shown: a line that is drawn again, plain lines, or not at all. */
type ProgressMode = "line" | "lines" | "silent";

/** Reads the mode from the options of every command. */
export function progressMode(
  output: Pick<Output, "isTTY">,
  { quiet, verbose }: { readonly quiet?: unknown; readonly verbose?: unknown },
): ProgressMode {
  if (quiet === true) return "silent";
  if (verbose === true) return "lines";
  return output.isTTY === true ? "line" : "silent";
}

/** Progress on `output`, which is stderr. */
export function createProgress(output: Output, mode: ProgressMode): ProgressLine {
  let drawn = false;
  return {
    step(text) {
      if (mode === "lines") output.write(`${text}\n`);
      if (mode !== "line") return;
      // One column less: some terminals begin a new line when the last column is used.
      output.write(`\r\u001b[2K${cutTo(text, outputWidth(output) - 1)}`);
      drawn = true;
    },
    done() {
      if (drawn) output.write("\r\u001b[2K");
      drawn = false;
    },
  };
}

const DEFAULT_WIDTH = 80;
/** Narrower than this nothing can be read, so lines break anywhere. */
const MIN_WIDTH = 20;

/** The width to write for: that of the terminal, `COLUMNS`, or 80. */
export function outputWidth(output: Pick<Output, "columns">, env: EnvironmentVariables = {}): number {
  const known = [output.columns, Number(env["COLUMNS"])].find(
    (one) => one !== undefined && Number.isInteger(one) && one > 0,
  );
  return Math.max(MIN_WIDTH, known ?? DEFAULT_WIDTH);
}

import type { Environment } from "./output.ts";

const UNICODE = {
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
} as const;

const ASCII = {
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
} as const satisfies Record<keyof typeof UNICODE, string>;

/** Signs that the output uses. */
export type Symbols = Readonly<Record<keyof typeof UNICODE, string>>;

/** The signs that a terminal with these environment variables can show. */
export function symbolsFor(env: Environment): Symbols {
  return showsUnicode(env) ? UNICODE : ASCII;
}

function showsUnicode(env: Environment): boolean {
  // Only the old console of Windows fails, and it sets none of these.
  if (env["OS"] === "Windows_NT")
    return ["WT_SESSION", "TERM_PROGRAM", "ConEmuTask", "CI"].some((name) => Boolean(env[name]));
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"];
  // Containers often set no locale at all, and the terminal in front of them shows everything.
  return locale === undefined || locale === "" ? env["TERM"] !== "linux" : /utf-?8/i.test(locale);
}

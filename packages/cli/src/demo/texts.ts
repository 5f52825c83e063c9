import { printableLine } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { cutTo, padTo } from "../terminal/width.ts";
import { wrap } from "../terminal/wrap.ts";
import type { Payment, Turn } from "./payment.ts";
import type { Got } from "./shop.ts";

/** Lines wider than this are hard to read. */
const MAX_WIDTH = 88;
const INDENT = "    ";
const LABEL_WIDTH = 9;

/** Writes the parts of the demo for one terminal. */
export interface DemoTexts {
  title(number: number, text: string): string[];
  /** What one side answered. A secret in it is marked. */
  answer(side: "bare" | "guarded", text: string, secret?: string): string[];
  /** A sentence of the narrator. */
  remark(text: string): string[];
  /** A call of the agent. */
  turn(turn: Turn): string[];
  /** What a payment came to. */
  sum(payment: Payment): string[];
  heading(text: string): string[];
  /** Something to copy. */
  code(text: string): string[];
}

export function textsFor({ width: columns, styles, symbols }: Terminal): DemoTexts {
  const width = Math.min(columns, MAX_WIDTH);
  const labelled = (label: string, text: string) =>
    wrap(text, { width, indent: " ".repeat(INDENT.length + LABEL_WIDTH), first: INDENT + padTo(label, LABEL_WIDTH) });
  return {
    title: (number, text) => ["", `${styles.dim(`  ${number}`)} ${styles.bold(text)}`, ""],
    answer(side, text, secret) {
      const lines = labelled((side === "bare" ? styles.red : styles.green)(side), printableLine(text));
      return secret === undefined ? lines : lines.map((line) => line.replaceAll(secret, styles.red(secret)));
    },
    remark: (text) => wrap(text, { width, indent: INDENT }).map((line) => styles.dim(line)),
    heading: (text) => ["", `${INDENT}${styles.bold(text)}`],
    turn({ tool, ok, text, paid }) {
      const mark = ok ? styles.green(symbols.tick) : styles.red(symbols.cross);
      const label = `${INDENT}${padTo(tool, 7)} ${padTo(paid ? styles.bold("paid") : "", 5)} ${mark} `;
      const indent = " ".repeat(INDENT.length + 16);
      return wrap(cutTo(printableLine(text), 200, symbols.ellipsis), { width, indent, first: label });
    },
    sum({ charges, calls, errorCharacters }) {
      const paid = charges === 1 ? styles.green("paid once") : styles.red(`paid ${charges} times`);
      const dot = ` ${symbols.dot} `;
      return [`${INDENT}${[paid, `${calls} calls`, `${errorCharacters} characters of errors`].join(dot)}`];
    },
    code: (text) => [`${INDENT}  ${styles.cyan(text)}`],
  };
}

/** How long an answer took, for a person. */
export function tookText({ ms }: Got): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

import { layOut } from "../terminal/columns.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/wrap.ts";
import type { Page, Section } from "./page.ts";

/** Lays out a page for a terminal. */
export function writePage({ title, aside, lead, facts, sections, next }: Page, terminal: Terminal): string {
  const { width, styles } = terminal;
  const head = aside === undefined ? styles.bold(title) : `${styles.bold(title)}  ${aside}`;
  const blocks = [
    [...wrap(head, { width, indent: "  " }), ...lead.flatMap((text) => wrap(plain(text), { width, indent: "  " }))],
    layOut(
      facts.map(([name, value]) => [styles.dim(name), plain(value)]),
      { width },
    ),
    ...sections.map((section) => sectionLines(section, terminal)),
    next.flatMap(([text, line]) => [`  ${text}:`, `    ${styles.cyan(line)}`]),
  ];
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `\n${shown.join("\n\n")}\n\n`;
}

function sectionLines({ title, items = [], rows = [], quote, code }: Section, terminal: Terminal): string[] {
  const { width, symbols } = terminal;
  const lines = [
    ...items.flatMap((item) => wrap(plain(item), { width, indent: "      ", first: `    ${symbols.dot} ` })),
    ...layOut(
      rows.map((cells) => cells.map(plain)),
      { width, indent: "    " },
    ),
    ...linesOf(quote).flatMap((line) => wrap(line, { width, indent: "    " })),
    ...linesOf(code).map((line) => `    ${line}`.trimEnd()),
  ];
  return lines.length === 0 ? [] : [...wrap(headingOf(title, terminal), { width, indent: "  " }), ...lines];
}

function linesOf(text: string | undefined): string[] {
  return text === undefined ? [] : printable(text).split("\n");
}

/** What follows two spaces is said beside the heading. */
function headingOf(title: string, { styles }: Terminal): string {
  const [name = "", aside] = title.split("  ");
  return aside === undefined ? styles.bold(name) : `${styles.bold(name)}  ${styles.dim(aside)}`;
}

/** Texts of the docs mark code with backticks, which a terminal does not need. */
function plain(text: string): string {
  return printable(text).replaceAll("`", "");
}

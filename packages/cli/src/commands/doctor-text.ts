import { toLine } from "@recourse/core/safety";
import { type CauseReport, type Diagnosis, type DiagnosisStep, STEP_NAMES } from "../doctor/diagnosis.ts";
import { padTo, wrapText } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { withoutBackticks } from "../terminal/wording.ts";

const MAX_PRINTED_LINE = 1_000;

/** Text without anything that moves a cursor or reorders a line. Line breaks of our own stay. */
export function printableLines(text: string): string {
  return text
    .split("\n")
    .map((line) => toLine(line, MAX_PRINTED_LINE))
    .join("\n");
}

const NAME_WIDTH = Math.max(...STEP_NAMES.map(({ length }) => length)) + 2;

/** The line of one step. */
export function stepText(step: DiagnosisStep, { width, styles, symbols }: Terminal): string {
  const sign = {
    ok: styles.green(symbols.tick),
    broken: styles.red(symbols.cross),
    skipped: styles.dim(symbols.minus),
  }[step.state];
  const first = `  ${sign} ${padTo(step.name, NAME_WIDTH)}`;
  return joinLines(wrapText(step.text, { width, indent: " ".repeat(NAME_WIDTH + 4), first }));
}

/** What the steps come to. */
export function verdictText(diagnosis: Diagnosis, terminal: Terminal): string {
  const { styles, symbols, width } = terminal;
  const notes = diagnosis.notes.map((note) => noteText(note, terminal)).join("");
  if (diagnosis.cause !== null) return `\n${causeText(diagnosis.cause, terminal)}${notes}`;
  const { server, revisions, durationMs, target } = diagnosis;
  const how = target.transport === "http" ? "over HTTP" : "over stdio";
  const text = `${server?.name ?? "The server"} ${server?.version ?? ""} is ready ${how}: ${revisions.join(" and ")} ${symbols.dot} ${(durationMs / 1000).toFixed(1)} s`;
  const ready = wrapText(text.replaceAll(/ +/g, " "), {
    width,
    indent: "    ",
    first: `  ${styles.green(symbols.tick)} `,
  });
  return `\n${joinLines(ready)}${notes}`;
}

/** A cause with its fix. `withSaw`: what was seen stands in no step above it. */
export function causeText(
  cause: CauseReport,
  terminal: Terminal,
  { withSaw = false }: { readonly withSaw?: boolean } = {},
): string {
  const { styles, symbols, width } = terminal;
  const head = `  ${styles.red(symbols.cross)} `;
  return joinLines([
    ...wrapText(`${styles.bold(cause.title)} (${cause.id})`, { width, indent: "    ", first: head }),
    ...(withSaw ? wrapText(cause.saw, { width, indent: "    " }) : []),
    ...wrapText(withoutBackticks(cause.because), { width, indent: "    " }),
    ...labelled("Fix", withoutBackticks(cause.fix), terminal),
    ...(cause.code === undefined || cause.code === cause.next ? [] : codeLines(cause.code, terminal)),
    ...(cause.next === undefined ? [] : [`    ${styles.dim("Next")}  ${styles.cyan(cause.next)}`]),
    `    ${styles.dim("More")}  ${styles.cyan(`recourse explain ${cause.id}`)}`,
  ]);
}

/** What is worth knowing, in one paragraph. */
export function noteText({ id, saw, fix }: CauseReport, { styles, symbols, width }: Terminal): string {
  const text = `${saw} ${withoutBackticks(fix)} (${id})`;
  return joinLines(wrapText(text, { width, indent: "    ", first: `  ${styles.yellow(symbols.info)} ` }));
}

function labelled(label: string, text: string, { styles, width }: Terminal): string[] {
  return wrapText(text, { width, indent: " ".repeat(10), first: `    ${styles.dim(padTo(label, 4))}  ` });
}

/** Code is never wrapped, or it cannot be copied. */
function codeLines(code: string, { styles }: Terminal): string[] {
  return code.split("\n").map((line) => `          ${styles.cyan(line)}`);
}

/** Lines as text, each with its end. */
export function joinLines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}

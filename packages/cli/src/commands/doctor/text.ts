import type { Diagnosis, FoundCause, Step } from "../../doctor/diagnosis.ts";
import { STEP_NAMES } from "../../doctor/diagnosis.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { padTo } from "../../terminal/width.ts";
import { wrap } from "../../terminal/wrap.ts";

const NAME_WIDTH = Math.max(...STEP_NAMES.map(({ length }) => length)) + 2;

/** The line of one step. */
export function stepText(step: Step, { width, styles, symbols }: Terminal): string {
  const sign = {
    ok: styles.green(symbols.tick),
    broken: styles.red(symbols.cross),
    skipped: styles.dim(symbols.minus),
  }[step.state];
  const first = `  ${sign} ${padTo(step.name, NAME_WIDTH)}`;
  return lines(wrap(step.text, { width, indent: " ".repeat(NAME_WIDTH + 4), first }));
}

/** What the steps come to. */
export function verdictText(diagnosis: Diagnosis, terminal: Terminal): string {
  const { styles, symbols, width } = terminal;
  const notes = diagnosis.notes.map((note) => noteText(note, terminal)).join("");
  if (diagnosis.cause !== null) return `\n${causeText(diagnosis.cause, terminal)}${notes}`;
  const { server, revisions, durationMs, target } = diagnosis;
  const how = target.transport === "http" ? "over HTTP" : "over stdio";
  const text = `${server?.name ?? "The server"} ${server?.version ?? ""} is ready ${how}: ${revisions.join(" and ")} ${symbols.dot} ${(durationMs / 1000).toFixed(1)} s`;
  const ready = wrap(text.replaceAll(/ +/g, " "), { width, indent: "    ", first: `  ${styles.green(symbols.tick)} ` });
  return `\n${lines(ready)}${notes}`;
}

function causeText(cause: FoundCause, terminal: Terminal): string {
  const { styles, symbols, width } = terminal;
  const head = `  ${styles.red(symbols.cross)} `;
  return lines([
    ...wrap(`${styles.bold(cause.title)} (${cause.id})`, { width, indent: "    ", first: head }),
    ...wrap(unquoted(cause.because), { width, indent: "    " }),
    ...labelled("Fix", unquoted(cause.fix), terminal),
    ...(cause.code === undefined || cause.code === cause.next ? [] : codeLines(cause.code, terminal)),
    ...(cause.next === undefined ? [] : [`    ${styles.dim("Next")}  ${styles.cyan(cause.next)}`]),
    `    ${styles.dim("More")}  ${styles.cyan(`recourse explain ${cause.id}`)}`,
  ]);
}

function noteText({ id, saw, fix }: FoundCause, { styles, symbols, width }: Terminal): string {
  const text = `${saw} ${unquoted(fix)} (${id})`;
  return lines(wrap(text, { width, indent: "    ", first: `  ${styles.yellow(symbols.info)} ` }));
}

/** The docs are Markdown, the terminal is not. */
function unquoted(text: string): string {
  return text.replaceAll("`", "");
}

function labelled(label: string, text: string, { styles, width }: Terminal): string[] {
  return wrap(text, { width, indent: " ".repeat(10), first: `    ${styles.dim(padTo(label, 4))}  ` });
}

/** Code is never wrapped, or it cannot be copied. */
function codeLines(code: string, { styles }: Terminal): string[] {
  return code.split("\n").map((line) => `          ${styles.cyan(line)}`);
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}

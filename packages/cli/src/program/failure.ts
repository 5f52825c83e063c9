import { inspect } from "node:util";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/wrap.ts";
import type { CommandFailure } from "./command.ts";

/** A failure as one line of JSON. */
export function failureLine({ code, message, fix }: CommandFailure): string {
  return `${JSON.stringify({ error: { code, message, ...(fix === undefined ? {} : { fix }) } })}\n`;
}

/** A failure for a person: a sentence, and what to do next. */
export function failureText({ message, fix }: CommandFailure, { width, styles, symbols }: Terminal): string {
  const lines = wrap(message, { width, indent: "  ", first: `${styles.red(symbols.cross)} ` });
  // A command must stay on one line, or it cannot be copied.
  if (fix !== undefined) lines.push(`  ${styles.dim(symbols.arrow)} ${styles.bold(fix)}`);
  return `${lines.join("\n")}\n`;
}

/** The cause of a failure with its stack, for `--debug`. */
export function causeText(cause: unknown): string {
  return `${inspect(cause, { depth: 4 })}\n`;
}

/** An unexpected failure is a bug of the program. */
export function bugFailure(thrown: unknown): CommandFailure {
  const what = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return {
    exit: "bug",
    code: "bug",
    message: `This is a bug in recourse: ${what.split("\n", 1)[0]}. Please report it with the command line and the output of --debug.`,
    fix: "https://github.com/recourse-mcp/recourse/issues",
    cause: thrown,
  };
}

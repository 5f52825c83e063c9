import { inspect } from "node:util";
import { wrapText } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { CliFailure, Output } from "./command.ts";

/** A failure as one line of JSON. */
export function failureLine({ code, message, fix }: CliFailure): string {
  return `${JSON.stringify({ error: { code, message, ...(fix === undefined ? {} : { fix }) } })}\n`;
}

/** A failure for a person: a sentence, and what to do next. */
export function failureText({ message, fix }: CliFailure, { width, styles, symbols }: Terminal): string {
  const lines = wrapText(message, { width, indent: "  ", first: `${styles.red(symbols.cross)} ` });
  // A command must stay on one line, or it cannot be copied.
  if (fix !== undefined) lines.push(`  ${styles.dim(symbols.arrow)} ${styles.bold(fix)}`);
  return `${lines.join("\n")}\n`;
}

/** The cause of a failure with its stack, for `--debug`. */
export function causeDetail(cause: unknown): string {
  return `${inspect(cause, { depth: 4 })}\n`;
}

/** An unexpected failure is a bug of the program. */
export function bugFailure(thrown: unknown): CliFailure {
  const what = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return {
    exit: "bug",
    code: "bug",
    message: `This is a bug in recourse: ${what.split("\n", 1)[0]}. Please report it with the command line and the output of --debug.`,
    fix: "https://github.com/recourse-mcp/recourse/issues",
    cause: thrown,
  };
}

/** A command line or a file that cannot be used. `fix` is the next command to type. */
export function usageFailure(message: string, fix: string, code = "usage"): CliFailure {
  return { exit: "usage", code, message, fix };
}

/** Writes the one document of `--json`. */
export function writeJson(output: Output, value: unknown): void {
  output.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Writes a text that was made from data without secrets, in which words of the program may be the same as a secret. */
export function writeCleaned(output: Output, text: string): void {
  if (output.writeCleaned === undefined) output.write(text);
  else output.writeCleaned(text);
}

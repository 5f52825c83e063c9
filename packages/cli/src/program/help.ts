import { layOut } from "../terminal/columns.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/wrap.ts";
import type { Command, Example, OptionSpec } from "./command.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { GLOBAL_OPTIONS, optionLabel } from "./options.ts";

const INTRO = "Explains MCP errors, checks how any MCP server fails, and finds out why one does not start.";

/** Lines with an empty line behind them, and a heading in front of them if there is one. */
interface Block {
  readonly title?: string;
  readonly lines: readonly string[];
}

/** `recourse --help`. */
export function programHelp(commands: readonly Command[], terminal: Terminal): string {
  const { styles, width } = terminal;
  const list = commands.map(({ name, about }) => [styles.cyan(name), about]);
  const codes = Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning.replaceAll("`", "")]);
  const first = commands.map(({ examples }) => examples[0]);
  return join(terminal, [
    { lines: wrap(INTRO, { width }) },
    { lines: [`${styles.bold("Usage:")} recourse <command> [options]`] },
    { title: "Commands", lines: layOut(list, { width }) },
    { title: "Examples", lines: exampleLines(first, terminal) },
    { title: "Options of every command", lines: optionLines(GLOBAL_OPTIONS, terminal) },
    { title: "Exit codes", lines: layOut(codes, { width }) },
    { lines: [`More about a command: ${styles.cyan("recourse help <command>")}`] },
  ]);
}

/** `recourse probe --help`. */
export function commandHelp(command: Command, terminal: Terminal): string {
  const { styles, width } = terminal;
  const { name, about, usage, details = [], options, examples } = command;
  return join(terminal, [
    { lines: wrap(`${about.replace(/\.$/, "")}.`, { width }) },
    {
      lines: wrap(`recourse ${name} ${usage}`.trimEnd(), { width, indent: "    ", first: `${styles.bold("Usage:")} ` }),
    },
    ...details.map((paragraph) => ({ lines: wrap(paragraph.replaceAll("`", ""), { width }) })),
    { title: "Examples", lines: exampleLines(examples, terminal) },
    { title: "Options", lines: optionLines(options, terminal) },
    { title: "Options of every command", lines: optionLines(GLOBAL_OPTIONS, terminal) },
  ]);
}

function optionLines(options: Readonly<Record<string, OptionSpec>>, { styles, width }: Terminal): string[] {
  const rows = Object.entries(options).map(([name, spec]) => [
    styles.cyan(optionLabel(name, spec)),
    spec.about + (spec.multiple === true ? " (repeatable)" : ""),
  ]);
  return layOut(rows, { width });
}

/** Each line can be copied, so it is never wrapped. */
function exampleLines(examples: readonly Example[], { styles, width }: Terminal): string[] {
  return examples.flatMap(({ line, about }) => [
    `  ${styles.cyan(line)}`,
    ...wrap(about, { width, indent: "      " }).map(styles.dim),
  ]);
}

function join({ styles }: Terminal, blocks: readonly Block[]): string {
  const texts = blocks
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => [...(title === undefined ? [] : [styles.bold(`${title}:`)]), ...lines].join("\n"));
  return `${texts.join("\n\n")}\n`;
}

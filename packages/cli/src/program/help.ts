import { layOut, padTo, wrapText } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { joinBlocks, withoutBackticks } from "../terminal/wording.ts";
import { type CliCommand, EXIT_CODES, type Example, type OptionSpec } from "./command.ts";
import { GLOBAL_OPTIONS, optionLabel } from "./command-line.ts";

const INTRO = "Explains MCP errors, checks how any MCP server fails, and finds out why one does not start.";

/** The commands by what you want to do, in the order of the help. A command that stands nowhere here comes last. */
const COMMAND_GROUPS = [
  { title: "Understand an error", names: ["explain", "decode", "incident"] },
  { title: "Check a server", names: ["probe", "doctor"] },
  { title: "Run the gateway", names: ["init", "serve", "keys", "status", "health", "approvals"] },
  { title: "Test and learn", names: ["peer", "conformance", "demo"] },
  { title: "Your shell", names: ["completion"] },
] as const satisfies readonly { readonly title: string; readonly names: readonly string[] }[];

/** The commands under the titles of their groups. */
export function groupCommands(
  commands: readonly CliCommand[],
): readonly { readonly title: string; readonly commands: readonly CliCommand[] }[] {
  const grouped = COMMAND_GROUPS.map(({ title, names }) => ({
    title,
    commands: names.flatMap((name) => commands.find((one) => one.name === name) ?? []),
  }));
  const listed = new Set(grouped.flatMap((group) => group.commands));
  const others = { title: "Others", commands: commands.filter((one) => !listed.has(one)) };
  return [...grouped, others].filter((group) => group.commands.length > 0);
}

/** Lines with an empty line behind them, and a heading in front of them if there is one. */
interface HelpBlock {
  readonly title?: string;
  readonly lines: readonly string[];
}

/** `recourse --help`. */
export function programHelp(commands: readonly CliCommand[], terminal: Terminal): string {
  const { styles, width } = terminal;
  // As wide as the longest name, so that the lists line up.
  const column = Math.max(...commands.map(({ name }) => name.length));
  const groups = groupCommands(commands).map((group): HelpBlock => {
    const rows = group.commands.map(({ name, about }) => [padTo(styles.cyan(name), column), about]);
    return { title: group.title, lines: layOut(rows, { width }) };
  });
  const codes = Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), withoutBackticks(meaning)]);
  const first = groupCommands(commands).flatMap((group) => group.commands.map(({ examples }) => examples[0]));
  return joinHelp(terminal, [
    { lines: wrapText(INTRO, { width }) },
    { lines: [`${styles.bold("Usage:")} recourse <command> [options]`] },
    ...groups,
    { title: "Examples", lines: exampleLines(first, terminal) },
    { title: "Options of every command", lines: optionLines(GLOBAL_OPTIONS, terminal) },
    { title: "Exit codes", lines: layOut(codes, { width }) },
    { lines: [`More about a command: ${styles.cyan("recourse help <command>")}`] },
  ]);
}

/** `recourse probe --help`. */
export function commandHelp(command: CliCommand, terminal: Terminal): string {
  const { styles, width } = terminal;
  const { name, about, usage, details = [], options, examples } = command;
  return joinHelp(terminal, [
    { lines: wrapText(`${about.replace(/\.$/, "")}.`, { width }) },
    {
      lines: wrapText(`recourse ${name} ${usage}`.trimEnd(), {
        width,
        indent: "    ",
        first: `${styles.bold("Usage:")} `,
      }),
    },
    ...details.map((paragraph) => ({ lines: wrapText(withoutBackticks(paragraph), { width }) })),
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
    ...wrapText(about, { width, indent: "      " }).map(styles.dim),
  ]);
}

function joinHelp({ styles }: Terminal, blocks: readonly HelpBlock[]): string {
  const shown = blocks.filter(({ lines }) => lines.length > 0);
  return `${joinBlocks(shown.map(({ title, lines }) => (title === undefined ? lines : [styles.bold(`${title}:`), ...lines])))}\n`;
}

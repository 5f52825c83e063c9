import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CliCommand, EXIT_CODES, type Example, type OptionSpec } from "../../packages/cli/src/program/command.ts";
import { GLOBAL_OPTIONS, optionLabel } from "../../packages/cli/src/program/command-line.ts";
import { code, codeLink, GENERATED, page, table } from "./markdown.ts";
import { embedPictures } from "./pictures.ts";

/** The hand-written part of a page: `cli-parts/<command>.md`, with headings of the second level, and `<!-- picture: name -->`. */
const PARTS = join(import.meta.dirname, "cli-parts");

/** The pages about the command line, by their path: one for each command, and the index. */
export function cliPages(commands: readonly CliCommand[]): readonly (readonly [string, string])[] {
  return [
    ["docs/cli/README.md", indexPage(commands)] as const,
    ...commands.map((command) => [`docs/cli/${command.name}.md`, commandPage(command)] as const),
  ];
}

function indexPage(commands: readonly CliCommand[]): string {
  return page([
    GENERATED,
    "# The command line: `recourse`",
    "`recourse` explains MCP errors, checks how an MCP server fails, and finds out why a server does not start. It works with every MCP server, not only with those that use Recourse.",
    block("sh", "npx @recourse/cli explain -32001\nnpm install --global @recourse/cli"),
    table(
      ["Command", ""],
      commands.map(({ name, about }) => [codeLink(`recourse ${name}`, `${name}.md`), about]),
    ),
    "`recourse <command> --help` shows the same in your terminal.",
    "## Options of every command",
    optionTable(GLOBAL_OPTIONS),
    "## Exit codes",
    exitCodeTable(),
    part("README"),
  ]);
}

/** The table of exit codes. A test compares it with the README of the package too. */
function exitCodeTable(): string {
  return table(
    ["Exit code", "Meaning"],
    Object.values(EXIT_CODES).map(({ code: number, meaning }) => [String(number), meaning]),
  );
}

function commandPage({ name, about, usage, details = [], options, examples, takesProgram }: CliCommand): string {
  return page([
    GENERATED,
    `# ${code(`recourse ${name}`)}`,
    `${about.replace(/\.$/, "")}.`,
    block("text", `recourse ${name} ${usage}`.trimEnd()),
    ...details,
    "## Examples",
    block("sh", examples.map(exampleLines).join("\n\n")),
    ...(Object.keys(options).length === 0 ? [] : ["## Options", optionTable(options)]),
    takesProgram === true ? PROGRAM_RULE : undefined,
    "See also the [options of every command](README.md#options-of-every-command) and the [exit codes](README.md#exit-codes).",
    part(name),
  ]);
}

const PROGRAM_RULE =
  "Everything after the name of a program belongs to the program, even if it begins with a dash: put options of `recourse` in front of it, or `--` between them. After an address, options may follow.";

function exampleLines({ line, about }: Example): string {
  return `# ${about}\n${line}`;
}

function optionTable(options: Readonly<Record<string, OptionSpec>>): string {
  return table(
    ["Option", ""],
    Object.entries(options).map(([name, spec]) => [
      code(optionLabel(name, spec)),
      spec.about + (spec.multiple === true ? " (repeatable)" : ""),
    ]),
  );
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function part(name: string): string | undefined {
  const file = join(PARTS, `${name}.md`);
  return existsSync(file) ? embedPictures(readFileSync(file, "utf8")).trim() : undefined;
}

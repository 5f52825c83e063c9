import { parseArgs } from "node:util";
import { cutTo } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import { COLOR_CHOICES } from "../terminal/terminal.ts";
import type { CliCommand, OptionSpec, OptionValues, ParsedArguments } from "./command.ts";
import { isAddress, isConfigFile } from "./secrets.ts";

/** What a command line asks for. */
export type CommandLine =
  | { readonly do: "run"; readonly command: CliCommand; readonly given: ParsedArguments }
  | { readonly do: "help"; readonly command?: CliCommand; readonly options: OptionValues }
  | { readonly do: "version" }
  | (ArgumentRefusal & {
      readonly do: "refuse";
      /** The next command to type. */
      readonly fix: string;
      /** Names that may have been meant. */
      readonly known: readonly string[];
    });

/** Reads a command line. `args` is what follows the name of the program. */
export function readCommandLine(commands: readonly CliCommand[], args: readonly string[]): CommandLine {
  const before = readOptions(args, { specs: GLOBAL_OPTIONS, restFrom: "first" });
  if ("message" in before) return refuseLine(before, "recourse --help", longNames(GLOBAL_OPTIONS));
  const { options } = before;
  if (options["version"] === true) return { do: "version" };
  const [name, ...rest] = before.positionals;
  if (name === undefined) return { do: "help", options };
  if (name === "help") return helpAbout(commands, rest, options);
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return unknownCommand(commands, name);
  return readCommandOptions(command, rest, options);
}

function readCommandOptions(command: CliCommand, args: readonly string[], before: OptionValues): CommandLine {
  const specs = allOptions(command.options);
  const read = readOptions(args, { specs, ...(command.takesProgram === true ? { restFrom: "program" } : {}) });
  if ("message" in read) return refuseLine(read, `recourse ${command.name} --help`, longNames(specs));
  const options = { ...before, ...read.options };
  if (options["version"] === true) return { do: "version" };
  if (options["help"] === true) return { do: "help", command, options };
  return { do: "run", command, given: { positionals: read.positionals, options } };
}

function helpAbout(commands: readonly CliCommand[], args: readonly string[], before: OptionValues): CommandLine {
  const read = readOptions(args, { specs: GLOBAL_OPTIONS });
  if ("message" in read) return refuseLine(read, "recourse --help", longNames(GLOBAL_OPTIONS));
  const options = { ...before, ...read.options };
  const [name] = read.positionals;
  if (name === undefined) return { do: "help", options };
  const command = commands.find((one) => one.name === name);
  return command === undefined ? unknownCommand(commands, name) : { do: "help", command, options };
}

function unknownCommand(commands: readonly CliCommand[], name: string): CommandLine {
  const known = commands.map((one) => one.name);
  return refuseLine({ message: `There is no command ${quoteArgument(name)}.`, unknown: name }, nextFor(name), known);
}

/** Many type what they want to know without the command in front of it. */
function nextFor(name: string): string {
  if (/^-?\d{1,9}$/.test(name) || /^[a-z_]+\/[a-z_]+$/.test(name)) return `recourse explain ${name}`;
  return isAddress(name) ? "recourse probe <url>" : "recourse --help";
}

function refuseLine(refusal: ArgumentRefusal, fix: string, known: readonly string[]): CommandLine {
  return { do: "refuse", ...refusal, fix, known };
}

function longNames(specs: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(specs).map((name) => `--${name}`);
}

/** The options of every command. */
export const GLOBAL_OPTIONS = {
  help: { type: "boolean", short: "h", about: "Show this help" },
  version: { type: "boolean", short: "V", about: "Show the version" },
  json: { type: "boolean", about: "Write one JSON document, and failures as one line of JSON" },
  color: { type: "string", value: "when", choices: COLOR_CHOICES, about: "Use colour" },
  quiet: { type: "boolean", short: "q", about: "Show no progress" },
  verbose: { type: "boolean", about: "Show each step of the progress on a line" },
  debug: { type: "boolean", about: "Show the cause of a failure, with its stack" },
} as const satisfies Record<string, OptionSpec>;

/** The options of a command by name: its own, then those of every command. */
export function allOptions(own: Readonly<Record<string, OptionSpec>>): Readonly<Record<string, OptionSpec>> {
  return { ...own, ...GLOBAL_OPTIONS };
}

/** The text of an option. Undefined if it was not given. */
export function textOption(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** How an option is written in a help: `-e, --env <NAME=value>`. */
export function optionLabel(name: string, { short, type, value = "value", choices }: OptionSpec): string {
  const dashed = short === undefined ? `--${name}` : `-${short}, --${name}`;
  return type === "boolean" ? dashed : `${dashed} <${choices?.join("|") ?? value}>`;
}

/** Why a command line cannot be carried out. */
interface ArgumentRefusal {
  /** One sentence. */
  readonly message: string;
  /** An option or a command that was perhaps meant is near to this name. */
  readonly unknown?: string;
}

/** How to read arguments. */
interface ArgumentRules {
  readonly specs: Readonly<Record<string, OptionSpec>>;
  /** Where the rest is taken as it is: at the first positional, at the first that is not an address, or nowhere. */
  readonly restFrom?: "first" | "program";
}

type ArgumentToken = NonNullable<ReturnType<typeof parseTokens>>[number];

/** Reads the options of a command line. Values of options never stand in a refusal: they may be secrets. */
export function readOptions(
  args: readonly string[],
  { specs, restFrom }: ArgumentRules,
): ParsedArguments | ArgumentRefusal {
  const tokens = parseTokens(args, specs);
  const end = restFrom === undefined ? undefined : findRest(tokens, restFrom);
  const own = end === undefined ? tokens : tokens.slice(0, tokens.indexOf(end));
  const options: Record<string, string | boolean | string[]> = {};
  for (const token of own) {
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
    if (spec === undefined)
      return { message: `There is no option ${quoteArgument(token.rawName)}.`, unknown: token.rawName };
    const value = optionValue(token, spec);
    if (typeof value === "object") return value;
    const before = options[token.name];
    options[token.name] = spec.multiple === true ? [...(Array.isArray(before) ? before : []), String(value)] : value;
  }
  const rest = end === undefined ? [] : args.slice(end.kind === "positional" ? end.index : end.index + 1);
  return {
    positionals: [...own.flatMap((one) => (one.kind === "positional" ? [unmark(one.value)] : [])), ...rest],
    options,
  };
}

/** A name or value of the command line for a sentence. */
function quoteArgument(text: string): string {
  return `"${cutTo(printableLine(text), 60)}"`;
}

function optionValue(token: ArgumentToken & { kind: "option" }, spec: OptionSpec): string | boolean | ArgumentRefusal {
  const { rawName, inlineValue } = token;
  if (spec.type === "boolean")
    return inlineValue === true ? { message: `The option ${rawName} takes no value.` } : true;
  const { choices, value: name = "value" } = spec;
  const value = token.value === undefined ? undefined : unmark(token.value);
  if (value === undefined || (choices !== undefined && !choices.includes(value))) {
    const wanted = choices === undefined ? `a value: ${rawName} <${name}>` : `one of ${choices.join(", ")}`;
    return { message: `The option ${rawName} needs ${wanted}.` };
  }
  // `--save --json` is a forgotten value much more often than a file of that name.
  if (inlineValue !== true && /^-./.test(value) && !isNegativeNumber(value))
    return { message: `The option ${rawName} needs a value; for one that begins with a dash write ${rawName}=….` };
  return value;
}

function findRest(
  tokens: readonly ArgumentToken[],
  from: "first" | "program",
): Exclude<ArgumentToken, { kind: "option" }> | undefined {
  const first = tokens.find((token) => token.kind !== "option");
  const isTarget =
    first?.kind === "positional" && from === "program" && (isAddress(first.value) || isConfigFile(first.value));
  return isTarget ? undefined : first;
}

function parseTokens(args: readonly string[], specs: ArgumentRules["specs"]) {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { type, short, multiple = false }]) => [
      name,
      short === undefined ? { type, multiple } : { type, multiple, short },
    ]),
  );
  return parseArgs({ args: args.map(mark), options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

// `explain -32001` means a number, and parseArgs would read options of one letter. No argument can contain a null.
const NUMBER_MARK = "\0";
const mark = (arg: string): string => (isNegativeNumber(arg) ? NUMBER_MARK + arg : arg);
const unmark = (arg: string): string => (arg.startsWith(NUMBER_MARK) ? arg.slice(1) : arg);
const isNegativeNumber = (arg: string): boolean => /^-\d/.test(arg);

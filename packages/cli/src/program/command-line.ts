import type { Command, Given, OptionValues } from "./command.ts";
import { GLOBAL_OPTIONS, optionsOf } from "./options.ts";
import { isAddress } from "./printable-url.ts";
import { type Refusal, readOptions, shown } from "./read-options.ts";

/** What a command line asks for. */
export type CommandLine =
  | { readonly do: "run"; readonly command: Command; readonly given: Given }
  | { readonly do: "help"; readonly command?: Command; readonly options: OptionValues }
  | { readonly do: "version" }
  | (Refusal & {
      readonly do: "refuse";
      /** The next command to type. */
      readonly fix: string;
      /** Names that may have been meant. */
      readonly known: readonly string[];
    });

/** Reads a command line. `args` is what follows the name of the program. */
export function readCommandLine(commands: readonly Command[], args: readonly string[]): CommandLine {
  const before = readOptions(args, { specs: GLOBAL_OPTIONS, restFrom: "first" });
  if ("message" in before) return refuse(before, "recourse --help", longNames(GLOBAL_OPTIONS));
  const { options } = before;
  if (options["version"] === true) return { do: "version" };
  const [name, ...rest] = before.positionals;
  if (name === undefined) return { do: "help", options };
  if (name === "help") return helpAbout(commands, rest, options);
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return unknownCommand(commands, name);
  return readCommand(command, rest, options);
}

function readCommand(command: Command, args: readonly string[], before: OptionValues): CommandLine {
  const specs = optionsOf(command.options);
  const read = readOptions(args, { specs, ...(command.takesProgram === true ? { restFrom: "program" } : {}) });
  if ("message" in read) return refuse(read, `recourse ${command.name} --help`, longNames(specs));
  const options = { ...before, ...read.options };
  if (options["version"] === true) return { do: "version" };
  if (options["help"] === true) return { do: "help", command, options };
  return { do: "run", command, given: { positionals: read.positionals, options } };
}

function helpAbout(commands: readonly Command[], args: readonly string[], before: OptionValues): CommandLine {
  const read = readOptions(args, { specs: GLOBAL_OPTIONS });
  if ("message" in read) return refuse(read, "recourse --help", longNames(GLOBAL_OPTIONS));
  const options = { ...before, ...read.options };
  const [name] = read.positionals;
  if (name === undefined) return { do: "help", options };
  const command = commands.find((one) => one.name === name);
  return command === undefined ? unknownCommand(commands, name) : { do: "help", command, options };
}

function unknownCommand(commands: readonly Command[], name: string): CommandLine {
  const known = commands.map((one) => one.name);
  return refuse({ message: `There is no command ${shown(name)}.`, unknown: name }, nextFor(name), known);
}

/** Many type what they want to know without the command in front of it. */
function nextFor(name: string): string {
  if (/^-?\d{1,9}$/.test(name) || /^[a-z_]+\/[a-z_]+$/.test(name)) return `recourse explain ${name}`;
  return isAddress(name) ? "recourse probe <url>" : "recourse --help";
}

function refuse(refusal: Refusal, fix: string, known: readonly string[]): CommandLine {
  return { do: "refuse", ...refusal, fix, known };
}

function longNames(specs: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(specs).map((name) => `--${name}`);
}

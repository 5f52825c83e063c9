import type { ExitName } from "./exit-codes.ts";
import type { Io } from "./io.ts";

/** One option of a command. The parser, the help, the completion and the docs read the same table. */
export interface OptionSpec {
  readonly type: "string" | "boolean";
  /** One letter, without the dash. */
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: boolean;
  /** What stands for the value in the help, such as `file`. */
  readonly value?: string;
  /** The only values that are allowed. */
  readonly choices?: readonly string[];
  /** Holds a secret in the form `Name: value` or `NAME=value`. No output of the program shows the value. */
  readonly secret?: "header" | "variable";
  /** One sentence without a full stop. */
  readonly about: string;
}

/** A line of the help that can be copied. */
export interface Example {
  readonly line: string;
  readonly about: string;
}

/** The values of options by name, those of the options of every command among them. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What the user typed after the name of the command. */
export interface Given {
  readonly positionals: readonly string[];
  readonly options: OptionValues;
}

/** Why a command could not do its work. With `--json` it is one line of JSON on stderr. */
export interface CommandFailure {
  readonly exit: Exclude<ExitName, "ok">;
  /** A short name, such as `unreachable`. */
  readonly code: string;
  /** One sentence. */
  readonly message: string;
  /** What to do next: one sentence or one command. */
  readonly fix?: string;
  /** The cause, shown with `--debug` only. */
  readonly cause?: unknown;
}

/** How a command ended. */
export type Outcome = { readonly exit: ExitName } | { readonly failure: CommandFailure };

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands, without a full stop. */
  readonly about: string;
  /** What follows the name, such as `<url | command…>`. */
  readonly usage: string;
  /** Paragraphs below the usage, in the help and on the page of the command. */
  readonly details?: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Words that may follow the name, for the completion of shells. @default files */
  readonly words?: readonly string[];
  readonly examples: readonly [Example, ...Example[]];
  /**
   * Whether everything after the first positional belongs to a program to start, also what begins with a dash. After an
   * address (`http://…`) options of the command may follow.
   */
  readonly takesProgram?: boolean;
  /** Whether being stopped is how the command usually ends, so that it exits with 0 then. */
  readonly untilStopped?: boolean;
  run(given: Given, io: Io): Promise<Outcome>;
}

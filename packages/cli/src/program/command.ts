import type { EnvironmentVariables, Output } from "../terminal/terminal.ts";

export type { Output } from "../terminal/terminal.ts";

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
export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly options: OptionValues;
}

/** Why a command could not do its work. With `--json` it is one line of JSON on stderr. */
export interface CliFailure {
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
export type CliOutcome = { readonly exit: ExitName } | { readonly failure: CliFailure };

/** One command of the program. */
export interface CliCommand {
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
  run(given: ParsedArguments, io: Io): Promise<CliOutcome>;
}

/** Every exit code of every command. The help, the docs and the tests read this table. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: "The command ran to its end." },
  findings: {
    code: 1,
    meaning:
      "The score is under your bar, `doctor`, `status` or `serve --check` found a cause, `health` got no good answer, the baseline does not match, or no incident has the id.",
  },
  usage: { code: 2, meaning: "The command line or the configuration file is wrong." },
  unreachable: { code: 3, meaning: "The server, or what it needs, could not be reached or started." },
  credentials: { code: 4, meaning: "The server asks for credentials." },
  bug: { code: 70, meaning: "A bug in `recourse` itself." },
  interrupted: { code: 130, meaning: "You ended it with Ctrl-C." },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

/** How a command ended. */
export type ExitName = keyof typeof EXIT_CODES;

/** What a command may use of the world. Tests give their own. */
export interface Io {
  /** What was piped in. */
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean | undefined };
  /** The result goes here. */
  readonly stdout: Output;
  /** Progress and failures go here. */
  readonly stderr: Output;
  /** Environment variables. */
  readonly env: EnvironmentVariables;
  /** The working directory. */
  readonly cwd: string;
  /** Milliseconds of a clock. */
  readonly now: () => number;
  /** Aborted by Ctrl-C. Everything that waits takes it. */
  readonly signal: AbortSignal;
  /** The operating system, as Node.js names it. @default that of the process */
  readonly platform?: string;
  /** Takes over SIGHUP, which otherwise ends the program. Returns what gives it back. @default it is not taken over */
  readonly onHangup?: (listener: () => void) => () => void;
  /**
   * Takes over exceptions and rejections that nothing has caught, which otherwise end the program. Returns what gives them
   * back. @default they are not taken over
   */
  readonly onUnexpected?: (listener: (error: unknown, where: string) => void) => () => void;
  /**
   * Registers secrets that the program learns while it runs, such as values of a configuration file. From then on
   * neither output shows them. What was typed is registered already: values of options that are marked `secret` in the
   * table of the command, user and password of addresses, and arguments such as `--token x`. @default nothing happens
   */
  readonly hide?: (...secrets: readonly string[]) => void;
  /** Removes the secrets from a text that goes elsewhere than to the outputs, such as into a file. @default nothing happens */
  readonly clean?: (text: string) => string;
  /**
   * A copy of plain data without the secrets. Use it before you write data in a format: secrets that are cut from the finished
   * text can break it. @default nothing happens
   */
  readonly cleanValue?: <T>(value: T) => T;
}

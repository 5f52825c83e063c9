/** What a command uses of the world. The command line gives its own. */
export interface CommandIo {
  /** The result goes here, in whole lines. */
  readonly stdout: { write(text: string): void };
  /** Remarks and problems go here, in whole lines. */
  readonly stderr: { write(text: string): void };
  /** The variables of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory. */
  readonly cwd: string;
  /** Milliseconds of a clock. */
  readonly now: () => number;
  /** Aborted when the command is asked to end. */
  readonly signal: AbortSignal;
  /** Calls `listener` when the program is asked to read its configuration again. Returns what takes that back. */
  readonly onHangup?: (listener: () => void) => () => void;
  /**
   * Calls `listener` for exceptions and rejections that nothing has caught, which otherwise end the program. Returns what takes
   * that back.
   */
  readonly onUnexpected?: (listener: (error: unknown, where: string) => void) => () => void;
}

/** Why a command could not do its work. */
export interface CommandFailure {
  /** The class of the exit code. */
  readonly exit: "findings" | "usage" | "unreachable" | "credentials";
  /** A short name, such as `config`. */
  readonly code: string;
  /** One sentence. */
  readonly message: string;
  /** What to do next: one sentence or one command. */
  readonly fix?: string;
  /** The error behind it, shown with `--debug` only. */
  readonly cause?: unknown;
}

/** How a command ended. */
export type CommandOutcome = { readonly exit: "ok" } | { readonly failure: CommandFailure };

export function failed(
  exit: CommandFailure["exit"],
  { code, message, fix, cause }: Omit<CommandFailure, "exit">,
): { readonly failure: CommandFailure } {
  return {
    failure: { exit, code, message, ...(fix === undefined ? {} : { fix }), ...(cause === undefined ? {} : { cause }) },
  };
}

/** The words of a command in one text, as a shell would take them: quotes keep spaces together. No expansion. */
export function commandWords(text: string): readonly string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

import type { Environment, Output } from "../terminal/output.ts";

export type { Output } from "../terminal/output.ts";

/** What a command may use of the world. Tests give their own. */
export interface Io {
  /** What was piped in. */
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean | undefined };
  /** The result goes here. */
  readonly stdout: Output;
  /** Progress and failures go here. */
  readonly stderr: Output;
  /** Environment variables. */
  readonly env: Environment;
  /** The working directory. */
  readonly cwd: string;
  /** Milliseconds of a clock. */
  readonly now: () => number;
  /** Aborted by Ctrl-C. Everything that waits takes it. */
  readonly signal: AbortSignal;
  /** The version of Node.js. @default that of the process */
  readonly nodeVersion?: string;
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
}

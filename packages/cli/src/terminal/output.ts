/** A stream that text is written to. Write whole lines: secrets and control characters are looked for in each write. */
export interface Output {
  /** Whether a person is looking. @default false */
  readonly isTTY?: boolean | undefined;
  /** The width of the terminal. @default 80 */
  readonly columns?: number | undefined;
  write(text: string): void;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

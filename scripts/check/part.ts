/** One command: a program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** One part of a check. */
export interface Part {
  /** By this name it can be run alone. */
  readonly name: string;
  /** What it shows, as the heading of its output. */
  readonly title: string;
  /** Run one after the other; the first that fails ends the part. */
  readonly commands: readonly Command[];
  readonly env?: Readonly<Record<string, string>>;
  /** The files whose change can make it fail, as globs. @default every file */
  readonly covers?: readonly string[];
}

/** A part that only the nightly check runs whole. */
export interface NightlyPart extends Part {
  readonly covers: readonly string[];
  /** What `--since` runs when a covered file has changed: a shorter version. */
  readonly whenTouched: readonly Command[];
  /** Why not with every change. */
  readonly reason: string;
}

/** What was seen of a program that was started to speak over stdin and stdout. Secrets are already replaced. */
export interface ProgramSeen {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The folder in which it starts. */
  readonly folder: string;
  readonly folderExists: boolean;
  /** The system's code if it could not be started, such as `ENOENT`. */
  readonly startError?: string;
  /** How it ended by itself. Absent while it runs. */
  readonly ended?: Ended;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it sent back what it got. */
  readonly echoes: boolean;
  /** How long `doctor` waited for an answer. */
  readonly waitedMs: number;
  /** What the script of a package manager runs, such as `node dist/server.js` for `npm start`. */
  readonly script?: string;
  /** Names of variables that this process has and the program does not get. */
  readonly withheld?: ReadonlySet<string>;
  /** The versions of Node that the nearest package.json asks for. */
  readonly engines?: string;
}

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  /** After this many milliseconds. */
  readonly ms: number;
}

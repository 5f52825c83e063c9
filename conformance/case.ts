// The format of the conformance files. README.md describes it for other programming languages.
import type { Fault } from "@recourse/core";

/** One wire value and the fault that it decodes to. */
export interface Case {
  /** Unique within the dialect. */
  readonly id: string;
  /** What the case shows, in one line. */
  readonly about: string;
  /** JSON as it was received. */
  readonly wire: unknown;
  /** Context for decoding. @default none */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The fault that `wire` decodes to; null for a success and for a value of another dialect. */
  readonly fault: Fault | null;
  /** What the fault encodes to. @default none, for dialects that only decode */
  readonly back?: unknown;
  /** Context for encoding. @default `context` */
  readonly backContext?: Readonly<Record<string, unknown>>;
  /** Members of `wire` that are missing in `back`: JSON Pointers, each with the cause. @default none */
  readonly losses?: Readonly<Record<string, string>>;
}

/** One file of cases. */
export interface CaseFile {
  readonly dialect: string;
  readonly about: string;
  readonly cases: readonly Case[];
}

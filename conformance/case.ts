// The form of the conformance files; the README says it in words for other languages.
import type { Fault } from "@recourse/faults";

/** One wire and the fault that it stands for. */
export interface Case {
  readonly id: string;
  /** What the case shows, in one line. */
  readonly about: string;
  /** JSON as it came over the wire. */
  readonly wire: unknown;
  /** What the decoder is told besides, where it matters. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The fault that it decodes to; null for a success, or for a wire that this dialect does not speak. */
  readonly fault: Fault | null;
  /** What the fault encodes to; absent for dialects that only decode. */
  readonly back?: unknown;
  /** What encoding is told, where it matters. */
  readonly backContext?: Readonly<Record<string, unknown>>;
  /** Members of the wire that do not come back, as JSON Pointers, with the reason. */
  readonly losses?: Readonly<Record<string, string>>;
}

/** A file of cases. */
export interface CaseFile {
  readonly dialect: string;
  readonly about: string;
  readonly cases: readonly Case[];
}

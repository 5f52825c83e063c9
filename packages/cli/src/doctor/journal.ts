import type { Revision } from "../recording/revisions.ts";
import { type Diagnosis, foundCause, type Step, type StepName } from "./diagnosis.ts";
import type { Finding } from "./finding.ts";
import type { DoctorWaits } from "./waits.ts";

/** What a diagnosis may use of the world. */
export interface DoctorContext {
  /** How long to wait for an answer. */
  readonly timeoutMs: number;
  /** How long to wait for everything else. */
  readonly waits: DoctorWaits;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Removes secrets from texts of the server. */
  readonly clean: (text: string) => string;
  /** Called with each step as it ends. */
  readonly onStep?: (step: Step) => void;
  /** Called with what happens now. */
  readonly onProgress?: (text: string) => void;
  /** Called with each line of stderr of the program. */
  readonly onStderrLine?: (line: string) => void;
}

/** Collects the steps of one diagnosis. */
export interface Journal {
  pass(name: StepName, text: string): void;
  skip(name: StepName, text: string): void;
  /** Keeps something worth knowing. */
  note(finding: Finding): void;
  /** Ends the diagnosis with a cause. */
  broken(name: StepName, finding: Finding): Diagnosis;
  /** Ends the diagnosis without one. */
  ready(): Diagnosis;
  /** Keeps an era that works. */
  speaks(revision: Revision, server: Diagnosis["server"]): void;
  readonly revisions: readonly Revision[];
}

/** Starts the record of a diagnosis. */
export function startJournal(target: Diagnosis["target"], { now, clean, onStep }: DoctorContext): Journal {
  const began = now();
  const steps: Step[] = [];
  const notes: Finding[] = [];
  const revisions: Revision[] = [];
  let server: Diagnosis["server"] = null;
  const add = (step: Step): void => {
    const cleaned = { ...step, text: clean(step.text) };
    steps.push(cleaned);
    onStep?.(cleaned);
  };
  const end = (finding: Finding | undefined): Diagnosis => ({
    target,
    ready: finding === undefined,
    steps,
    cause: finding === undefined ? null : foundCause(finding),
    notes: notes.map(foundCause),
    server,
    revisions,
    durationMs: Math.round(now() - began),
  });
  return {
    pass: (name, text) => add({ name, state: "ok", text }),
    skip: (name, text) => add({ name, state: "skipped", text }),
    note: (finding) => void notes.push(finding),
    broken(name, finding) {
      add({ name, state: "broken", text: finding.saw });
      return end(finding);
    },
    ready: () => end(undefined),
    speaks(revision, named) {
      revisions.push(revision);
      server ??= named;
    },
    revisions,
  };
}

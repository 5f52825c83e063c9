import { toLine } from "@recourse/core/safety";
import { NEWEST_REVISIONS, type Sleep, sleep } from "@recourse/core/wire";
import { type CauseWeight, CONNECTION_CAUSES, type ConnectionCause, type ConnectionCauseId } from "@recourse/explain";
import type { EraRevision } from "../recording/recording.ts";

/** One step of a diagnosis. */
export interface DiagnosisStep {
  readonly name: StepName;
  /** `skipped`: it could not be tried, and nothing follows from that. */
  readonly state: "ok" | "broken" | "skipped";
  /** What was seen, in a few words. */
  readonly text: string;
}

/** The steps for a program, then those over HTTP. */
export const STEP_NAMES = [
  "command",
  "start",
  "first line",
  "name",
  "connect",
  "tls",
  "first bytes",
  ...NEWEST_REVISIONS,
  "list",
  "stream",
  "errors",
  "stop",
] as const;
type StepName = (typeof STEP_NAMES)[number];

/** A cause with the texts of this run. */
export interface CauseReport {
  readonly id: ConnectionCauseId;
  readonly title: string;
  readonly saw: string;
  readonly because: string;
  readonly fix: string;
  readonly code?: string;
  /** The next command to run. */
  readonly next?: string;
  /** What the configuration has to say instead. */
  readonly corrected?: CorrectedTarget;
  /** The variable that the server misses. */
  readonly variable?: string;
}

/** What leads to the server instead of what was given. */
interface CorrectedTarget {
  readonly url?: string;
  readonly command?: readonly string[];
}

/** What `doctor` found out. `--json` prints it. */
export interface Diagnosis {
  readonly target: {
    readonly transport: "stdio" | "http";
    readonly url?: string;
    readonly command?: readonly string[];
  };
  /** Whether the server is ready for clients. */
  readonly ready: boolean;
  readonly steps: readonly DiagnosisStep[];
  /** Why it is not ready. */
  readonly cause: CauseReport | null;
  /** What is worth knowing although it works. */
  readonly notes: readonly CauseReport[];
  readonly server: { readonly name: string; readonly version: string } | null;
  /** The eras that it speaks. */
  readonly revisions: readonly EraRevision[];
  readonly durationMs: number;
}

/** Fills a finding with what the table says. */
export function reportCause({ id, saw, because, fix, code, next, corrected, variable }: CauseFinding): CauseReport {
  const row: ConnectionCause = CONNECTION_CAUSES[id];
  const shownCode = code ?? row.code;
  return {
    id,
    title: row.title,
    saw,
    because: because ?? row.because,
    fix: fix ?? row.fix,
    ...(shownCode !== undefined && { code: shownCode }),
    ...(next !== undefined && { next }),
    ...(corrected !== undefined && { corrected }),
    ...(variable !== undefined && { variable }),
  };
}

/** What follows from a cause. */
export function causeWeight(id: ConnectionCauseId): CauseWeight {
  const { weight = "broken" }: ConnectionCause = CONNECTION_CAUSES[id];
  return weight;
}

/** Every text of a cause through a filter. */
export function mapCause(
  { saw, because, fix, code, next, corrected, ...rest }: CauseReport,
  change: (text: string) => string,
): CauseReport {
  const { url, command } = corrected ?? {};
  return {
    ...rest,
    saw: change(saw),
    because: change(because),
    fix: change(fix),
    ...(code !== undefined && { code: change(code) }),
    ...(next !== undefined && { next: change(next) }),
    ...(corrected !== undefined && {
      corrected: {
        ...(url !== undefined && { url: change(url) }),
        ...(command !== undefined && { command: command.map(change) }),
      },
    }),
  };
}

/** Every text of a diagnosis through a filter. */
export function mapTexts(diagnosis: Diagnosis, change: (text: string) => string): Diagnosis {
  const cause = (one: CauseReport): CauseReport => mapCause(one, change);
  const { target, server } = diagnosis;
  return {
    ...diagnosis,
    target: {
      ...target,
      ...(target.url !== undefined && { url: change(target.url) }),
      ...(target.command !== undefined && { command: target.command.map(change) }),
    },
    steps: diagnosis.steps.map((step) => ({ ...step, text: change(step.text) })),
    cause: diagnosis.cause === null ? null : cause(diagnosis.cause),
    notes: diagnosis.notes.map(cause),
    server: server === null ? null : { name: change(server.name), version: change(server.version) },
  };
}

/** What a diagnosis may use of the world. */
export interface DoctorContext {
  /** How long to wait for an answer. */
  readonly timeoutMs: number;
  /** How long to wait for everything else. */
  readonly waits: DoctorWaits;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Makes an id that nothing else has. */
  readonly createId: () => string;
  /** Removes secrets from texts of the server. */
  readonly clean: (text: string) => string;
  /** Called with each step as it ends. */
  readonly onStep?: (step: DiagnosisStep) => void;
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
  note(finding: CauseFinding): void;
  /** Ends the diagnosis with a cause. */
  broken(name: StepName, finding: CauseFinding): Diagnosis;
  /** Ends the diagnosis without one. */
  ready(): Diagnosis;
  /** Keeps an era that works. */
  speaks(revision: EraRevision, server: Diagnosis["server"]): void;
  readonly revisions: readonly EraRevision[];
}

/** Starts the record of a diagnosis. */
export function startJournal(target: Diagnosis["target"], { now, clean, onStep }: DoctorContext): Journal {
  const began = now();
  const steps: DiagnosisStep[] = [];
  const notes: CauseFinding[] = [];
  const revisions: EraRevision[] = [];
  let server: Diagnosis["server"] = null;
  const add = (step: DiagnosisStep): void => {
    const cleaned = { ...step, text: clean(step.text) };
    steps.push(cleaned);
    onStep?.(cleaned);
  };
  const end = (finding: CauseFinding | undefined): Diagnosis => ({
    target,
    ready: finding === undefined,
    steps,
    cause: finding === undefined ? null : reportCause(finding),
    notes: notes.map(reportCause),
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

/** How long a diagnosis waits beside `--timeout`. Times are in milliseconds. */
export interface DoctorWaits {
  /** A start that takes longer makes hosts give up. @default 5000 */
  readonly slowMs: number;
  /** Failures in the background show within this time. @default 1000 */
  readonly settleMs: number;
  /** A server that does not know the newer era says so at once, or never. @default 3000 */
  readonly secondEraMs: number;
  /** How long a program may run on after the end of its input. @default 2000 */
  readonly closeMs: number;
  /** A connection that is not open by then will not be. @default 5000 */
  readonly connectMs: number;
  /** A service that is asked in its own words answers at once. @default 3000 */
  readonly questionMs: number;
  /** A stream that the server holds open has to begin within this time. @default 5000 */
  readonly streamMs: number;
  /** Other paths are only looked at. @default 4000 */
  readonly lookMs: number;
  /** Waits for a program. @default real time */
  readonly sleep: Sleep;
}

/** The waits of `recourse doctor`. */
export const DOCTOR_WAITS: DoctorWaits = {
  slowMs: 5_000,
  settleMs: 1_000,
  secondEraMs: 3_000,
  closeMs: 2_000,
  connectMs: 5_000,
  questionMs: 3_000,
  streamMs: 5_000,
  lookMs: 4_000,
  sleep,
};

/** A cause that was found in one run. What is absent is said by the table of causes. */
export interface CauseFinding {
  readonly id: ConnectionCauseId;
  /** One sentence about this run: what happened. */
  readonly saw: string;
  /** Why, if more is known than the table says. */
  readonly because?: string;
  /** What to do, if more is known than the table says. */
  readonly fix?: string;
  /** A command or code that can be copied, with the names of this run. */
  readonly code?: string;
  /** The next command to run. */
  readonly next?: string;
  /** What the configuration has to say instead, if it is certain. */
  readonly corrected?: CorrectedTarget;
  /** The variable that the server misses. */
  readonly variable?: string;
}

/** A rule of a table: it looks at what was seen and names a cause, or passes. */
export type CauseRule<Observation> = (seen: Observation) => CauseFinding | undefined;

/** The verdict of the first rule that has one. */
export function firstFinding<Observation>(
  rules: readonly CauseRule<Observation>[],
  seen: Observation,
): CauseFinding | undefined {
  for (const rule of rules) {
    const found = rule(seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

const QUOTE_LENGTH = 160;

/** Text of a server in quotes, on one printable line. */
export function quoteLine(text: string, max: number = QUOTE_LENGTH): string {
  return `"${toLine(text, max).replaceAll('"', "'")}"`;
}

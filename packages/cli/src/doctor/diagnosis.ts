import type { Revision } from "../recording/revisions.ts";
import type { Weight } from "./cause.ts";
import { CAUSES, type CauseId, causeOf } from "./causes.ts";
import type { Finding } from "./finding.ts";

/** One step of a diagnosis. */
export interface Step {
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
  "2025-11-25",
  "2026-07-28",
  "list",
  "stream",
  "errors",
  "stop",
] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** A cause with the texts of this run. */
export interface FoundCause {
  readonly id: CauseId;
  readonly title: string;
  readonly saw: string;
  readonly because: string;
  readonly fix: string;
  readonly code?: string;
  /** The next command to run. */
  readonly next?: string;
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
  readonly steps: readonly Step[];
  /** Why it is not ready. */
  readonly cause: FoundCause | null;
  /** What is worth knowing although it works. */
  readonly notes: readonly FoundCause[];
  readonly server: { readonly name: string; readonly version: string } | null;
  /** The eras that it speaks. */
  readonly revisions: readonly Revision[];
  readonly durationMs: number;
}

/** Fills a finding with what the table says. */
export function foundCause({ id, saw, because, fix, code, next }: Finding): FoundCause {
  const row = causeOf(id) ?? { id, ...CAUSES[id] };
  const shownCode = code ?? row.code;
  return {
    id,
    title: row.title,
    saw,
    because: because ?? row.because,
    fix: fix ?? row.fix,
    ...(shownCode !== undefined && { code: shownCode }),
    ...(next !== undefined && { next }),
  };
}

/** What follows from a cause. */
export function weightOf(id: CauseId): Weight {
  return causeOf(id)?.weight ?? "broken";
}

/** Every text of a diagnosis through a filter. */
export function mapTexts(diagnosis: Diagnosis, change: (text: string) => string): Diagnosis {
  const cause = (one: FoundCause): FoundCause => ({
    ...one,
    saw: change(one.saw),
    because: change(one.because),
    fix: change(one.fix),
    ...(one.code !== undefined && { code: change(one.code) }),
    ...(one.next !== undefined && { next: change(one.next) }),
  });
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

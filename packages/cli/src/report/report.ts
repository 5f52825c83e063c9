import type { Category, Fix, Severity } from "../checks/check.ts";
import type { Exchange, Recording, Target } from "../recording/recording.ts";
import type { Revision } from "../recording/revisions.ts";

/** The verdict on a server: what `--json` prints. Its form is part of the contract. */
export interface Report {
  readonly tool: "recourse";
  readonly version: string;
  /** The number of the set of scored checks. */
  readonly set: number;
  readonly target: ReportTarget;
  /** 0 to 100. */
  readonly score: number;
  /** A to F, with a question mark if few checks applied. */
  readonly grade: string;
  /** How many checks had something to look at. */
  readonly coverage: { readonly applied: number; readonly of: number };
  /** Scored findings by severity. */
  readonly counts: Readonly<Record<Severity, number>>;
  readonly checks: readonly CheckReport[];
  /** What to do, the most points first. */
  readonly fixes: readonly FixStep[];
  /** Entries of the baseline whose check passes now. */
  readonly stale: readonly string[];
  /** Tools that got valid arguments. */
  readonly called: readonly string[];
  /** Those of them that do not say that they only read. */
  readonly calledWriters: readonly string[];
  /** Tools that got nothing, with the reason. */
  readonly spared: readonly { readonly tool: string; readonly because: string }[];
  /** The exchanges that are named as evidence; all of them with `--exchanges`. */
  readonly exchanges: readonly Exchange[];
  /** Whether the probe was ended before it was done, so that findings may be missing. */
  readonly interrupted: boolean;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** The probed server. */
export interface ReportTarget extends Pick<Target, "transport" | "url" | "command" | "loopback"> {
  readonly server: { readonly name: string; readonly version: string };
  readonly revisions: readonly Revision[];
  /** Eras that the server does not speak, with the reason. */
  readonly unspoken: Recording["unspoken"];
  readonly tools: number;
  readonly readOnlyTools: number;
}

/**
 * What became of a check. Only `fail` and `known` cost points: `follows` is a consequence of another finding, `preview` is a
 * rule on trial, `known` is listed in your baseline, and `forced` is what another document asks of this server.
 */
export type CheckState = "pass" | "fail" | "follows" | "skipped" | "preview" | "known" | "forced";

/** What became of one check. */
export interface CheckReport {
  readonly id: string;
  readonly category: Category;
  /** On this transport. */
  readonly severity: Severity;
  readonly state: CheckState;
  readonly source: "yours" | "sdk";
  /** What the check asks for. */
  readonly title: string;
  /** Why it matters. */
  readonly why: string;
  /** The eras in which it failed. */
  readonly eras?: readonly Revision[];
  /** The finding, or why the check was skipped. */
  readonly message?: string;
  /** The share of the score that it takes, 0 to 1. */
  readonly cost?: number;
  /** The finding that this one is a consequence of. */
  readonly causedBy?: string;
  /** Why the baseline lists it. */
  readonly reason?: string;
  /** Ids of exchanges. */
  readonly evidence?: readonly string[];
  readonly fix?: Fix & { readonly docs: string };
}

/** One thing to do. */
export interface FixStep extends Fix {
  /** The findings that it mends, consequences too. */
  readonly cures: readonly string[];
  /** How many points the score gains by it. */
  readonly points: number;
}

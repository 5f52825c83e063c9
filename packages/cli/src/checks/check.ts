import type { EraRecord, Recording } from "../recording/recording.ts";
import type { Revision } from "../recording/revisions.ts";

/** How bad a finding is. */
export const SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The groups of checks, in the order of reports. */
export const CATEGORIES = [
  "leak",
  "identity",
  "consistency",
  "validation",
  "truthfulness",
  "channel",
  "protocol",
  "robustness",
  "stdio",
  "auth",
  "retry",
  "resources",
  "size",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** What a check looks at: one era of a recording. */
export interface EraView {
  readonly recording: Recording;
  readonly era: EraRecord;
}

/** What a check says about one era. */
export type CheckResult =
  | { readonly state: "pass" }
  /** There was nothing to look at. */
  | { readonly state: "skipped"; readonly because: string }
  | {
      readonly state: "fail";
      /** One sentence about this server: what it answered to what. */
      readonly message: string;
      /** Ids of the exchanges that show it, the clearest first. */
      readonly evidence: readonly [string, ...string[]];
    };

/** How a finding is mended. */
export interface Fix {
  /** One or two sentences. */
  readonly text: string;
  /** Code that can be copied. */
  readonly code?: string;
}

/** One rule about failures. Ids are for ever; severities never rise within a set. */
export interface Check {
  readonly id: string;
  readonly category: Category;
  readonly severity: Severity;
  /** A milder severity where fewer can see it. */
  readonly severityOn?: { readonly stdio?: Severity; readonly remote?: Severity };
  /** What it asks for, in one sentence: "Failures do not show a stack trace." */
  readonly title: string;
  /** When it fails, for its page. */
  readonly failsWhen: string;
  /** What is not counted, for its page. */
  readonly notCounted?: string;
  /** Why it matters, in one sentence. */
  readonly why: string;
  readonly fix: Fix;
  /** Who causes it: the author, or the official SDK under every server. */
  readonly source: "yours" | "sdk";
  /** Not scored yet: the rule may still be wrong. */
  readonly preview?: boolean;
  /** The first set that scores it; a preview in earlier ones. @default 1 */
  readonly since?: number;
  /** The eras that it applies to. @default both */
  readonly revisions?: readonly Revision[];
  /** The transport that it applies to. @default both */
  readonly transport?: "stdio" | "http";
  /** If one of these fails too, this finding is its consequence: shown beneath it, not scored. */
  readonly follows?: readonly string[];
  /** Pure: it reads the recording and nothing else. */
  run(view: EraView): CheckResult;
}

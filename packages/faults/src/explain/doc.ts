/** The five systems whose codes the library speaks. */
export const SYSTEM_NAMES = ["closient", "onx", "erlmcp", "qaqnuz", "platica"] as const;
/** One of the five systems. */
export type System = (typeof SYSTEM_NAMES)[number];

/**
 * How bad it is, by who has to look: `critical` an operator now, `error` an operator, `warning` whoever owns the caller
 * or the settings, `info` nobody.
 */
export const SEVERITIES = ["critical", "error", "warning", "info"] as const;
/** One of the four severities. */
export type Severity = (typeof SEVERITIES)[number];

/** A code of another system that means the same, written as it stands on that wire. */
export interface SystemCode {
  readonly system: System;
  readonly code: string;
  /** When this reason is meant, where one code has several, and what the system adds. */
  readonly note?: string;
}

/** What a person or a model wants to know about one reason beyond its sentence. */
export interface ReasonDoc {
  readonly title: string;
  readonly causes: readonly string[];
  /** The first one is for whoever has to act. */
  readonly remedies: readonly string[];
  readonly severity: Severity;
  readonly codes?: readonly SystemCode[];
}

/** The same for a kind: it stands in where a reason has no documentation. */
export interface KindDoc extends Omit<ReasonDoc, "codes"> {
  /** What the kind means, as one sentence. */
  readonly meaning: string;
}

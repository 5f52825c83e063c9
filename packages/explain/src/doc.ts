import type { LIBRARY_REASONS } from "@recourse/core/reasons";
import type { Severity } from "@recourse/core/server";

/** The five systems whose error codes the library knows. */
export const SYSTEM_NAMES = ["closient", "onx", "erlmcp", "qaqnuz", "platica"] as const;
/** One of the five systems. */
export type System = (typeof SYSTEM_NAMES)[number];

/** An error code of another system that means the same. */
export interface SystemCode {
  /** The system. */
  readonly system: System;
  /** The code as it is sent. */
  readonly code: string;
  /** When the code means this reason, if it has several meanings, and what the system adds. */
  readonly note?: string;
}

/** The documentation of one reason. */
export interface ReasonDoc {
  /** A short name. */
  readonly title: string;
  /** What can lead to the failure. */
  readonly causes: readonly string[];
  /** What to do. The first remedy is for the one who has to act. */
  readonly remedies: readonly string[];
  /** How bad it is. */
  readonly severity: Severity;
  /** Error codes of other systems that mean the same. */
  readonly codes?: readonly SystemCode[];
}

/** The documentation of one kind. It is used for reasons without documentation. */
export interface KindDoc extends Omit<ReasonDoc, "codes"> {
  /** What the kind means, in one sentence. */
  readonly meaning: string;
}

/** The domains of the library's reasons. */
export type Domain = keyof typeof LIBRARY_REASONS;

/** What readers of a failure need, as the compiler reads it from JSON, which has no literal types. */
export interface ReasonJson extends Pick<ReasonDoc, "title" | "remedies"> {
  readonly severity: string;
}

/** The rest of the documentation, which only the catalogue has, as the compiler reads it from JSON. */
export interface ReasonDetailsJson extends Pick<ReasonDoc, "causes"> {
  readonly codes?: readonly (Omit<SystemCode, "system"> & { readonly system: string })[];
}

/** A part of the documentation for all reasons of all domains. */
export type DocsByDomain<Part> = {
  readonly [D in Domain]: Readonly<Record<keyof (typeof LIBRARY_REASONS)[D], Part>>;
};

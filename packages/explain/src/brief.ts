import { isFaultClass, isKind, type Kind, knownKind } from "@recourse/core";
import { libraryReason } from "@recourse/core/reasons";
import { KIND_DOCS } from "./data/kinds.ts";
import reasonDocs from "./data/reasons.json" with { type: "json" };
import type { DocsByDomain, ReasonDoc, ReasonJson } from "./doc.ts";

/** A fault, or the part of it that is known. */
export interface Explainable {
  /** The name of the reason, `domain/name`. */
  readonly reason: string;
  /** The kind. @default the kind of the documented reason */
  readonly kind?: string;
  /** The class. It is used if the kind is not known. @default none */
  readonly class?: string;
}

/** The part of an explanation that a reader of a failure needs first. */
export interface BriefExplanation extends Pick<ReasonDoc, "title" | "remedies" | "severity"> {
  /** The name of the reason, `domain/name`. */
  readonly reason: string;
  /** Whether the reason itself is documented. If not, this is the documentation of its kind. */
  readonly exact: boolean;
  /** The kind of failure. */
  readonly kind: Kind;
}

/** Titles and remedies of all reasons. The compiler checks that none is missing; tests check the words in it. */
const REASON_DOCS: DocsByDomain<ReasonJson> = reasonDocs;

/** A reason of the library with its title, remedies and severity. Undefined if the library has no such reason. */
export function documentedReason(id: string): Omit<BriefExplanation, "exact"> | undefined {
  const reason = libraryReason(id);
  if (reason?.id !== id) return undefined;
  const [domain = "", name = ""] = id.split("/");
  const docs: Readonly<Record<string, ReasonJson>> = REASON_DOCS[domain as keyof typeof REASON_DOCS];
  const { title, remedies, severity } = docs[name] as Pick<ReasonDoc, "title" | "remedies" | "severity">;
  return { reason: id, kind: reason.kind, title, remedies, severity };
}

/**
 * Explains a reason or a fault as `explain` does, without causes and codes. The bundle of a web page that needs no more than
 * this does not hold them.
 *
 * @example
 * const { title, remedies } = explainBriefly("core/timeout") ?? {};
 */
export function explainBriefly(of: string | Explainable): BriefExplanation | undefined {
  const asked: Explainable = typeof of === "string" ? { reason: of } : of;
  const kind = explainedKind(asked);
  const documented = documentedReason(asked.reason);
  // A reason of another program may have the same name. If its kind differs, the kind is explained.
  if (documented !== undefined && (kind === undefined || kind === documented.kind))
    return { ...documented, exact: true };
  if (kind === undefined) return undefined;
  const { title, remedies, severity } = KIND_DOCS[kind];
  return { reason: asked.reason, exact: false, kind, title, remedies, severity };
}

function explainedKind({ reason, kind, class: faultClass }: Explainable): Kind | undefined {
  if (kind !== undefined) {
    if (isKind(kind)) return kind;
    return isFaultClass(faultClass) ? knownKind({ kind, class: faultClass }) : undefined;
  }
  const [domain, name] = reason.split("/");
  return domain === "adhoc" && isKind(name) ? name : undefined;
}

import { type Actor, type FaultClass, isFaultClass, isKind, KINDS, type Kind, knownKind } from "../fault/kinds.ts";
import { type CatalogueEntry, catalogue } from "./catalogue.ts";
import { KIND_DOCS } from "./data/kinds.ts";
import type { ReasonDoc, SystemCode } from "./doc.ts";

/** The documentation of a failure. */
export interface Explanation extends Required<ReasonDoc> {
  /** The name of the reason, `domain/name`. */
  readonly reason: string;
  /** Whether the reason itself is documented. If not, this is the documentation of its kind. */
  readonly exact: boolean;
  /** The kind of failure. */
  readonly kind: Kind;
  /** The class of the kind. */
  readonly class: FaultClass;
  /** What the kind means, in one sentence. */
  readonly meaning: string;
  /** Who has to act. */
  readonly actor: Actor;
}

/** A fault, or the part of it that is known. */
export interface Explainable {
  /** The name of the reason, `domain/name`. */
  readonly reason: string;
  /** The kind. @default the kind of the documented reason */
  readonly kind?: string;
  /** The class. It is used if the kind is not known. @default none */
  readonly class?: string;
}

/**
 * Explains a reason or a fault: title, causes, remedies, severity. Undefined if neither the reason nor its kind is known.
 *
 * @example
 * const explanation = explain("core/timeout");
 * console.log(explanation?.remedies);
 */
export function explain(of: string | Explainable): Explanation | undefined {
  const asked: Explainable = typeof of === "string" ? { reason: of } : of;
  const kind = kindOf(asked);
  const entry = Object.hasOwn(catalogue, asked.reason) ? catalogue[asked.reason] : undefined;
  // A reason of another program may have the same name. If its kind differs, the kind is explained.
  if (entry !== undefined && (kind === undefined || kind === entry.kind))
    return explanationOf(asked.reason, entry.kind, entry);
  return kind === undefined ? undefined : explanationOf(asked.reason, kind);
}

function explanationOf(reason: string, kind: Kind, entry?: CatalogueEntry): Explanation {
  const general = KIND_DOCS[kind];
  const { title, causes, remedies, severity, codes = NO_CODES }: ReasonDoc = entry?.doc ?? general;
  return {
    reason,
    exact: entry !== undefined,
    kind,
    class: KINDS[kind].class,
    title,
    meaning: general.meaning,
    actor: KINDS[kind].actor,
    causes,
    remedies,
    severity,
    codes,
  };
}

const NO_CODES: readonly SystemCode[] = [];

function kindOf({ reason, kind, class: faultClass }: Explainable): Kind | undefined {
  if (kind !== undefined) {
    if (isKind(kind)) return kind;
    return isFaultClass(faultClass) ? knownKind({ kind, class: faultClass }) : undefined;
  }
  const [domain, name] = reason.split("/");
  return domain === "adhoc" && isKind(name) ? name : undefined;
}

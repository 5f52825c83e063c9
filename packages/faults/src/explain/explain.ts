import { type Actor, type FaultClass, isFaultClass, isKind, KINDS, type Kind, knownKind } from "../fault/kinds.ts";
import { type CatalogueEntry, catalogue } from "./catalogue.ts";
import { KIND_DOCS } from "./data/kinds.ts";
import type { ReasonDoc, SystemCode } from "./doc.ts";

/** What there is to say about a failure beyond its sentence. */
export interface Explanation extends Required<ReasonDoc> {
  readonly reason: string;
  /** Whether the reason itself is documented; otherwise this is what holds for its kind. */
  readonly exact: boolean;
  readonly kind: Kind;
  readonly class: FaultClass;
  readonly meaning: string;
  /** Who has to act. */
  readonly actor: Actor;
}

/** A fault, or as much of one as there is. */
export interface Explainable {
  readonly reason: string;
  readonly kind?: string;
  readonly class?: string;
}

/** Explains a reason or a fault; `undefined` where neither the reason nor its kind is known. */
export function explain(of: string | Explainable): Explanation | undefined {
  const asked: Explainable = typeof of === "string" ? { reason: of } : of;
  const kind = kindOf(asked);
  const entry = Object.hasOwn(catalogue, asked.reason) ? catalogue[asked.reason] : undefined;
  // Somebody else's reason may have one of our names; its kind then decides what to do.
  if (entry !== undefined && (kind === undefined || kind === entry.kind)) return told(asked.reason, entry.kind, entry);
  return kind === undefined ? undefined : told(asked.reason, kind);
}

function told(reason: string, kind: Kind, entry?: CatalogueEntry): Explanation {
  const general = KIND_DOCS[kind];
  const { title, causes, remedies, severity, codes = NONE }: ReasonDoc = entry?.doc ?? general;
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

const NONE: readonly SystemCode[] = [];

function kindOf({ reason, kind, class: faultClass }: Explainable): Kind | undefined {
  if (kind !== undefined) {
    if (isKind(kind)) return kind;
    return isFaultClass(faultClass) ? knownKind({ kind, class: faultClass }) : undefined;
  }
  const [domain, name] = reason.split("/");
  return domain === "adhoc" && isKind(name) ? name : undefined;
}

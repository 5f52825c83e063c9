// The rows of the catalogue of errors: one for each reason of the library.
import { type Effect, type FaultClass, KINDS, type Kind } from "@recourse/core";
import { catalogue, KIND_DOCS, SEVERITIES, type Severity, sayRepeat } from "@recourse/explain";
import { ACTOR_PHRASES, EFFECT_PHRASES } from "../../packages/cli/src/explain/phrases.ts";
import { SEVERITY_MEANINGS } from "../../scripts/generate/index-pages.ts";
import { sampleFault } from "../../scripts/generate/samples.ts";

/** A reason as the catalogue shows it. */
export interface CatalogueRow {
  readonly reason: string;
  readonly title: string;
  readonly kind: Kind;
  readonly class: FaultClass;
  readonly severity: Severity;
  /** Who has to act, in a few words. */
  readonly actor: string;
  readonly effect: Effect;
  /** What the effect means, in a few words. */
  readonly effectWords: string;
  /** What to do next, the first move first. */
  readonly moves: readonly string[];
  /** Whether the same call may be made again, in a few words. */
  readonly repeat: string;
  /** The address of its page. */
  readonly address: string;
}

/** The address of the page of a reason. It is in faults and in logs, so it never changes. */
function reasonAddress(reason: string): string {
  return `/errors/${reason}/`;
}

/** All reasons, sorted by their names. */
export function listReasons(): readonly CatalogueRow[] {
  return Object.values(catalogue).map(({ id, kind, class: faultClass, doc }) => {
    const fault = sampleFault(id);
    return {
      reason: id,
      title: doc.title,
      kind,
      class: faultClass,
      severity: doc.severity,
      actor: ACTOR_PHRASES[KINDS[kind].actor],
      effect: fault.effect,
      effectWords: EFFECT_PHRASES[fault.effect],
      moves: fault.recourse.map((move) => move.do),
      repeat: sayRepeat(fault),
      address: reasonAddress(id),
    };
  });
}

/** What the page of all errors needs. */
export interface Catalogue {
  readonly rows: readonly CatalogueRow[];
  readonly kinds: readonly { readonly name: Kind; readonly meaning: string }[];
  readonly classes: readonly FaultClass[];
  /** What each effect means, in a few words. */
  readonly effects: Readonly<Record<Effect, string>>;
  readonly severities: readonly { readonly name: Severity; readonly meaning: string }[];
}

/** Makes the data of the page of all errors. */
export function makeCatalogue(): Catalogue {
  const kinds = Object.keys(KINDS) as Kind[];
  return {
    rows: listReasons(),
    kinds: kinds.map((name) => ({ name, meaning: KIND_DOCS[name].meaning })),
    classes: [...new Set(kinds.map((kind) => KINDS[kind].class))],
    effects: EFFECT_PHRASES,
    severities: SEVERITIES.map((name) => ({ name, meaning: SEVERITY_MEANINGS[name] })),
  };
}

import type { AnyReason } from "@recourse/core";
import { type Actor, type Effect, type FaultClass, KINDS, type Kind, type Move } from "@recourse/core";
import { LIBRARY_REASONS, libraryReason } from "@recourse/core/reasons";
import { type BriefExplanation, documentedReason, type Explainable, explainBriefly } from "./brief.ts";
import { KIND_DOCS } from "./data/kinds.ts";
import reasonDetails from "./data/reason-details.json" with { type: "json" };
import { CODE_RANGES, CODES, type CodeRange, type CodeRow, SYSTEMS } from "./data/systems.ts";
import type { DocsByDomain, Domain, ReasonDetailsJson, ReasonDoc, SystemCode } from "./doc.ts";

/** One reason of the library with its documentation, as plain data. */
export interface CatalogueEntry {
  /** The name of the reason, `domain/name`. */
  readonly id: string;
  /** The kind of failure. */
  readonly kind: Kind;
  /** The class of the kind. */
  readonly class: FaultClass;
  /** The message. `{name}` stands for a value, `[…]` for a part that is left out if its value is missing. */
  readonly text: string;
  /** The name and type of each value. */
  readonly slots: Readonly<Record<string, string>>;
  /** The documentation of the reason. */
  readonly doc: ReasonDoc;
}

/** Causes and codes of all reasons. The compiler checks that none is missing; tests check the words in it. */
const REASON_DETAILS: DocsByDomain<ReasonDetailsJson> = reasonDetails;

function documentDomain(domain: Domain): readonly (readonly [string, CatalogueEntry])[] {
  const details: Readonly<Record<string, ReasonDetailsJson>> = REASON_DETAILS[domain];
  return Object.entries<AnyReason>(LIBRARY_REASONS[domain]).map(([name, { id, kind, text, slots }]) => {
    const types = Object.entries(slots).map(([slot, of]) => [slot, of.optional ? `${of.type}, optional` : of.type]);
    const { title, remedies, severity } = documentedReason(id) ?? KIND_DOCS[kind];
    const { causes, codes } = details[name] as Pick<ReasonDoc, "causes" | "codes">;
    const doc = { title, causes, remedies, severity, ...(codes !== undefined && { codes }) };
    return [id, { id, kind, class: KINDS[kind].class, text, slots: Object.fromEntries(types), doc }];
  });
}

/** Every reason of the library by its id, sorted: the order of a module's exports is not the same everywhere. */
export const catalogue: Readonly<Record<string, CatalogueEntry>> = Object.freeze(
  Object.fromEntries(
    (Object.keys(LIBRARY_REASONS) as Domain[]).flatMap(documentDomain).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ),
);

/** Names of reasons that were published once. They are never used again. */
export const RETIRED: readonly string[] = [];

/** The documentation of a failure. */
export interface Explanation extends BriefExplanation, Required<ReasonDoc> {
  /** The class of the kind. */
  readonly class: FaultClass;
  /** What the kind means, in one sentence. */
  readonly meaning: string;
  /** Who has to act. */
  readonly actor: Actor;
}

/**
 * Explains a reason or a fault: title, causes, remedies, severity. Undefined if neither the reason nor its kind is known.
 *
 * @example
 * const explanation = explain("core/timeout");
 * console.log(explanation?.remedies);
 */
export function explain(of: string | Explainable): Explanation | undefined {
  const brief = explainBriefly(of);
  if (brief === undefined) return undefined;
  const { reason, exact, kind, title, remedies, severity } = brief;
  const { class: faultClass, actor } = KINDS[kind];
  const general = KIND_DOCS[kind];
  const { causes, codes = NO_CODES }: ReasonDoc = (exact ? catalogue[reason]?.doc : undefined) ?? general;
  return {
    reason,
    exact,
    kind,
    class: faultClass,
    title,
    meaning: general.meaning,
    actor,
    causes,
    remedies,
    severity,
    codes,
  };
}

const NO_CODES: readonly SystemCode[] = [];

/** One meaning of an error code. */
export interface CodeMeaning extends Required<Pick<CodeRow, "sender" | "meaning" | "reason" | "effect" | "advice">> {
  /** The HTTP status that it comes with, if the status distinguishes it from other meanings. */
  readonly status?: number;
  /** The kind of the reason. */
  readonly kind: Kind;
}

const MOVE_ADVICE: Readonly<Record<Move, string>> = {
  retry: "wait, then make the same call again",
  authenticate: "authenticate",
  fix_input: "correct the arguments",
  choose_another: "choose another one",
  refresh: "look before repeating",
  do_first: "do first what is missing",
  ask_user: "ask a person",
  stop: "do not repeat the call",
};

/**
 * Everything that an error code can mean, by who sends it: JSON-RPC and MCP, the official SDKs, servers and gateways, and
 * the five systems. Takes numbers and names, such as `REQUEST_TIMEOUT`. Empty if the code is not known.
 *
 * @example
 * for (const { sender, meaning, advice } of meaningsOf(-32001)) console.log(`${sender}: ${meaning}. ${advice}`);
 */
export function meaningsOf(code: number | string): readonly CodeMeaning[] {
  const name = String(code);
  const own: readonly CodeRow[] = (Object.hasOwn(CODES, name) && CODES[name]) || [];
  return [...own.map(codeMeaning), ...systemMeanings(name)];
}

/** What the protocol says about the range of a number. */
export function rangeOf(code: number): CodeRange | undefined {
  return CODE_RANGES.find(({ from, to }) => code >= from && code <= to);
}

function codeMeaning(row: CodeRow): CodeMeaning {
  const reason = libraryReason(row.reason);
  const kind = reason?.kind ?? "unknown";
  const { effect = reason?.fault({}).effect ?? KINDS[kind].effect } = row;
  return { ...row, kind, effect, advice: row.advice ?? adviceForKind(kind, effect) };
}

/** A call that may have changed something is not simply repeated. */
function adviceForKind(kind: Kind, effect: Effect): string {
  const { firstMove } = KINDS[kind];
  return MOVE_ADVICE[firstMove === "retry" && effect !== "none" ? "refresh" : firstMove];
}

function systemMeanings(code: string): CodeMeaning[] {
  return Object.values(catalogue).flatMap(({ id, doc }) =>
    (doc.codes ?? [])
      .filter((one) => one.code === code)
      .map(({ system, note }) =>
        codeMeaning({ sender: SYSTEMS[system].name, meaning: meaningOfSystem(doc.title, note), reason: id }),
      ),
  );
}

/** The title of the reason, and what the system adds to it. */
function meaningOfSystem(title: string, note?: string): string {
  return note === undefined ? lowerFirst(title) : `${lowerFirst(title)} (${note.replace(/\.$/, "")})`;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

// What Now shows: one answer of the API, with the last value of each part that is down.
import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Overview, Range } from "../../api/types.ts";
import { now } from "../../state/clock.ts";
import { POLL_MS, type Resource, useResource } from "../../state/resource.ts";

/** The parts of the answer that can be down one by one. */
type OverviewPart =
  | "health"
  | "calls"
  | "series"
  | "classes"
  | "hits"
  | "upstreams"
  | "approvals"
  | "refusals"
  | "changes";

/** The value of a part. */
export type PartValue<Name extends OverviewPart> = Extract<Overview[Name], { value: unknown }>["value"];

/** A part with its age and its fault. */
interface KeptPart<T> {
  /** The last value; undefined if there was none. */
  readonly value: T | undefined;
  /** When it was true. */
  readonly asOf: string | undefined;
  /** Why there is nothing newer. */
  readonly failure: { readonly sentence: string } | undefined;
}

/** All parts. */
export type KeptParts = { readonly [Name in OverviewPart]: KeptPart<PartValue<Name>> };

/** What is known for Now. */
export interface KnownOverview {
  /** The last answer, also of the range before while another one is asked for. */
  readonly overview: Overview | undefined;
  readonly parts: KeptParts;
  readonly failure: Resource<Overview>["failure"];
  /** What has to be added to the clock of this browser to get the gateway's. */
  readonly skewMs: number;
  /** The answer is old: several times in a row none came. */
  readonly isStale: boolean;
  readonly reload: () => void;
}

/** Clocks that differ less are taken as equal. */
const EQUAL_CLOCKS_MS = 2_000;

/** As long as several answers take. */
const STALE_MS = 4 * POLL_MS;

/** Asks for the overview of a range, again and again. */
export function useOverview(range: Range): KnownOverview {
  const resource = useResource<Overview>(`overview?range=${range}`, { everyMs: POLL_MS });
  const kept = useRef<{ overview: Overview; parts: KeptParts; asOf: number }>(undefined);
  const { value, asOf } = resource;
  if (value !== undefined && value !== kept.current?.overview)
    kept.current = { overview: value, parts: keepParts(value, kept.current?.parts), asOf: asOf ?? now.peek() };
  const age = useRef<number>(undefined);
  age.current = asOf ?? kept.current?.asOf;
  const stale = useComputed(() => now.value - (age.current ?? now.value) > STALE_MS);
  const skewMs = kept.current === undefined ? 0 : Date.parse(kept.current.overview.asOf) - kept.current.asOf;
  return {
    overview: kept.current?.overview,
    parts: kept.current?.parts ?? NO_PARTS,
    failure: resource.failure,
    skewMs: Math.abs(skewMs) < EQUAL_CLOCKS_MS || Number.isNaN(skewMs) ? 0 : skewMs,
    isStale: stale.value,
    reload: resource.reload,
  };
}

/** What the person reads if a part is down, besides the fault: counts wait in memory. */
const NOTHING_LOST = "Nothing is lost up to 50,000 incidents a process.";
const COUNTED: readonly OverviewPart[] = ["series", "classes", "hits"];
const PART_NAMES: readonly OverviewPart[] = [
  "health",
  "calls",
  "series",
  "classes",
  "hits",
  "upstreams",
  "approvals",
  "refusals",
  "changes",
];

/** The parts of an answer. One with a fault keeps the value that it had before. */
export function keepParts(overview: Overview, before?: KeptParts): KeptParts {
  const keep = (name: OverviewPart): KeptPart<unknown> => {
    const part = overview[name];
    if (part !== undefined && "value" in part) return { value: part.value, asOf: part.asOf, failure: undefined };
    const message = part?.fault.message ?? "The gateway did not send this part.";
    const sentence = COUNTED.includes(name) ? `${message} ${NOTHING_LOST}` : message;
    return { value: before?.[name].value, asOf: before?.[name].asOf, failure: { sentence } };
  };
  return Object.fromEntries(PART_NAMES.map((name) => [name, keep(name)])) as unknown as KeptParts;
}

const NOT_YET = { value: undefined, asOf: undefined, failure: undefined };
const NO_PARTS = Object.fromEntries(PART_NAMES.map((name) => [name, NOT_YET])) as unknown as KeptParts;

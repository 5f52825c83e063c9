// What Now shows: one answer of the API, with the last value of each part that is down.
import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Overview, Range } from "../../api/types.ts";
import { now } from "../../state/clock.ts";
import { liveness, useLiveRefresh } from "../../state/live.ts";
import { type Resource, useResource } from "../../state/resource.ts";

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
  /** The answer is older than twice the time after which another one is asked for. */
  readonly isStale: boolean;
  readonly reload: () => void;
}

/** Asks so often while a stream tells what happens, and while none does. */
const OVERVIEW_EVERY_MS = { live: 60_000, polling: 10_000, paused: 60_000 } as const;
/** Clocks that differ less are taken as equal. */
const EQUAL_CLOCKS_MS = 2_000;

/** Asks for the overview of a range, and again when something happens. */
export function useOverview(range: Range): KnownOverview {
  const resource = useResource<Overview>(`overview?range=${range}`, { everyMs: OVERVIEW_EVERY_MS.live });
  useLiveRefresh(["incident", "approval", "change"], resource.reload);
  // What the verdict is about is rare, and does not wait for its turn.
  useLiveRefresh(["breaker", "store"], resource.reload, { everyMs: 250 });
  const kept = useRef<{ overview: Overview; parts: KeptParts; asOf: number }>(undefined);
  const { value, asOf } = resource;
  if (value !== undefined && value !== kept.current?.overview)
    kept.current = { overview: value, parts: keepParts(value, kept.current?.parts), asOf: asOf ?? now.peek() };
  const age = useRef<number>(undefined);
  age.current = kept.current?.asOf;
  // Both signals are read each time: what is not read is not followed.
  const stale = useComputed(() => {
    const limit = now.value - 2 * OVERVIEW_EVERY_MS[liveness.value];
    return age.current !== undefined && age.current < limit;
  });
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

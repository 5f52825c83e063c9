// What the operator can do about an incident: at most three points, by fixed rules, from values that the API has.
import type { Change, Explanation, Incident, IncidentClass, Upstream } from "../../api/types.ts";
import { withNoun } from "../../format/numbers.ts";
import { clock, day, span, zoneName } from "../../format/time.ts";
import { shortCaller } from "../../format/words.ts";
import { changeWords, isCandidate } from "../changes/change-words.ts";
import { incidentEffect } from "./facts.ts";

/** What the points are made from. All but the incident may be missing. */
export interface KnownAbout {
  readonly incident: Incident;
  /** The upstream of the incident, as it is now. */
  readonly upstream?: Upstream | undefined;
  readonly cause?: IncidentClass | undefined;
  /** Changes around the incident. */
  readonly changes?: readonly Change[] | undefined;
  readonly explanation?: Explanation | undefined;
}

/** What to do: from the effect, from the state, and from what is known about the reason. */
export function whatToDo(known: KnownAbout): readonly string[] {
  return [fromEffect(known.incident), fromState(known), remedyPoint(known.explanation)].filter(
    (point) => point !== undefined,
  );
}

function fromEffect(incident: Incident): string | undefined {
  const { upstream, tool = "the call", caller, at } = incident;
  const place = upstream === undefined ? "" : ` in ${upstream}`;
  const whom = caller === undefined ? "" : ` for ${shortCaller(caller)}`;
  const time = `at ${clock(at)} ${zoneName()}`;
  switch (incidentEffect(incident)) {
    case "possible":
      return `Find out${place} whether ${tool} took effect${whom} ${time}.`;
    case "applied":
      return `Look up${place} what ${tool} did${whom} ${time}, and tell the caller: its answer was lost.`;
    default:
      return undefined;
  }
}

function fromState({ incident, upstream, cause, changes = [] }: KnownAbout): string | undefined {
  const breaker = upstream?.breaker === undefined ? undefined : BREAKER_DOES[upstream.breaker];
  const began = cause === undefined ? undefined : changeBeforeCause(cause.firstSeen, changes);
  const sentences = [
    breaker === undefined ? undefined : `The breaker of ${upstream?.upstream} ${breaker}.`,
    began,
    breaker === undefined && began === undefined ? others(incident, cause) : undefined,
  ].filter((sentence) => sentence !== undefined);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

/** A closed breaker is nothing to do about. */
const BREAKER_DOES = {
  closed: undefined,
  open: "is open",
  "half-open": "is open and tries single calls",
} as const satisfies Record<NonNullable<Upstream["breaker"]>, string | undefined>;

function others({ at }: Incident, cause: IncidentClass | undefined): string | undefined {
  if (cause === undefined || cause.count < 2) return undefined;
  const isSameDay = day(cause.firstSeen) === day(at);
  const since = isSameDay ? clock(cause.firstSeen, { seconds: false }) : day(cause.firstSeen);
  return `${withNoun(cause.count - 1, "other", "others")} with this cause since ${since}.`;
}

/** A change that came so shortly before is worth a look. */
const BEFORE_MS = 10 * 60_000;

/** Names the newest change in the ten minutes before something began. */
function changeBeforeCause(beganAt: string, changes: readonly Change[]): string | undefined {
  const began = Date.parse(beganAt);
  const [newest] = changes
    .filter((change) => isCandidate(change) && began >= Date.parse(change.at))
    .filter(({ at }) => began - Date.parse(at) <= BEFORE_MS)
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (newest === undefined) return undefined;
  return `It began ${span(began - Date.parse(newest.at))} after ${changeWords(newest).noun}.`;
}

/** Sentences of the catalogue name the operator first when they are for the operator. */
const FOR_OPERATOR = /^The operator\b/;

function remedyPoint(explanation: Explanation | undefined): string | undefined {
  if (explanation === undefined) return undefined;
  const { actor, remedies } = explanation;
  return remedies.find((remedy) => FOR_OPERATOR.test(remedy)) ?? (actor === "operator" ? remedies[0] : undefined);
}

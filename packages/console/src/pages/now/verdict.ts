// The first sentence of the console: what is failing. The first rule that fits says it.
import type { Change, IncidentClass, Overview, Upstream } from "../../api/types.ts";
import { count, share, withNoun } from "../../format/numbers.ts";
import { ago, clock, day } from "../../format/time.ts";
import { changeWords } from "../changes/change-words.ts";
import { changeBefore, findOnset, minutesAfter, type Onset } from "./onset.ts";
import { overviewRange, RANGE_WORDS } from "./ranges.ts";

/** What the page says first. */
export interface NowVerdict {
  readonly tone: "bad" | "warn" | "text" | "good";
  /** The first words: a sentence. */
  readonly first: string;
  /** The sentences after it. */
  readonly rest: string;
  /** The second line; empty if there is nothing to say. */
  readonly second: string;
  /** The change that the second line names. */
  readonly change?: Change;
}

/** What the rules read: the values of the parts that are there. */
interface KnownParts {
  readonly overview: Overview;
  readonly nowMs: number;
  readonly health: Value<"health"> | undefined;
  readonly calls: Value<"calls"> | undefined;
  readonly series: Value<"series"> | undefined;
  readonly classes: Value<"classes"> | undefined;
  readonly upstreams: readonly Upstream[];
  readonly changes: readonly Change[];
}

type PartName = "health" | "calls" | "series" | "classes" | "upstreams" | "changes";
type Value<Name extends PartName> = Extract<Overview[Name], { value: unknown }>["value"];
type Rule = (known: KnownParts) => NowVerdict | undefined;

/** An upstream fails if so many calls of the last five minutes, and this share of them, end in a fault. */
const FEWEST_CALLS = 20;
const FAILING_SHARE = 0.1;

/** The rules, in order. The last one always fits. */
const RULES: readonly Rule[] = [
  partIsDown,
  upstreamsAreFailing,
  toolsAreFailing,
  criticalIsNew,
  asUsual,
  nothingFails,
  notKnown,
];

/** What is failing, in words. It never throws: a part that is missing makes the sentence say less. */
export function verdict(overview: Overview, nowMs: number): NowVerdict {
  const known: KnownParts = {
    overview,
    nowMs,
    health: readPart(overview, "health"),
    calls: readPart(overview, "calls"),
    series: readPart(overview, "series"),
    classes: readPart(overview, "classes"),
    upstreams: readPart(overview, "upstreams") ?? [],
    changes: readPart(overview, "changes") ?? [],
  };
  for (const rule of RULES) {
    const found = rule(known);
    if (found !== undefined) return found;
  }
  return notKnown(known);
}

function readPart<Name extends PartName>(overview: Overview, name: Name): Value<Name> | undefined {
  const part = overview[name];
  return part !== undefined && "value" in part ? (part.value as Value<Name>) : undefined;
}

/** What is said of each part that is down, if the gateway says nothing itself. */
const PARTS_DOWN = {
  database: { first: "The database is down.", otherwise: "Calls go on; incidents are kept in memory meanwhile." },
  limits: { first: "The store of limits is down.", otherwise: "Calls are counted by the rule of the file for it." },
  approvals: { first: "The store of approvals is down.", otherwise: "Calls that need an approval are refused." },
  breakers: { first: "The store of breakers is down.", otherwise: "Calls go on; each process counts for itself." },
  incidents: { first: "The store of incidents is down.", otherwise: "Calls go on; incidents are kept in memory." },
} as const satisfies Record<keyof Value<"health">["parts"], { first: string; otherwise: string }>;

/** Rule 1. */
function partIsDown(known: KnownParts): NowVerdict | undefined {
  const { health, nowMs } = known;
  if (health === undefined) return undefined;
  const part = (Object.keys(PARTS_DOWN) as (keyof typeof PARTS_DOWN)[]).find((name) => health.parts[name] === "away");
  if (part === undefined) return undefined;
  // The database has no entry of its own if a part that uses it has noticed first.
  const names: readonly string[] = part === "database" ? ["database", "incidents", "approvals"] : [part];
  const why = health.why.find((one) => names.includes(one.part));
  const { first, otherwise } = PARTS_DOWN[part];
  const failing = failingUpstreams(known);
  return {
    tone: "bad",
    first,
    rest: joinClauses([
      why === undefined ? otherwise : whatCallersGet(why.text, otherwise),
      why && `Since ${since(why.since, nowMs)}.`,
    ]),
    second: failing.length === 0 ? "" : `${areFailing(failing.map(({ upstream }) => upstream))} as well.`,
  };
}

/** The gateway's own words, as a sentence. */
function whatCallersGet(text: string, otherwise: string): string {
  const words = text.trim();
  if (words === "") return otherwise;
  const sentence = /[.!?]$/.test(words) ? words : `${words}.`;
  const isGoingOn = otherwise.startsWith("Calls go on") && !/^calls\b/i.test(sentence);
  return isGoingOn ? `Calls go on; ${startLower(sentence)}` : startUpper(sentence);
}

/** Rules 2 and 3: a breaker of an upstream is not closed, or many of its calls fail. */
function upstreamsAreFailing(known: KnownParts): NowVerdict | undefined {
  const failing = failingUpstreams(known);
  const [lead] = failing;
  if (lead === undefined) return undefined;
  const names = failing.map(({ upstream }) => upstream);
  const onset = upstreamOnset(known, lead);
  return {
    tone: "bad",
    first: `${areFailing(names)}.`,
    rest: joinClauses([shareOfCalls(known, { failing, onset }), breakerWords(known, failing)]),
    ...secondLine(known, { onset, isOfLead: ({ upstream }) => upstream !== undefined && names.includes(upstream) }),
  };
}

/** Those with a breaker that is not closed, then those with many faults, each in the order of the file. */
function failingUpstreams({ upstreams }: KnownParts): readonly Upstream[] {
  const held = upstreams.filter(isHeld);
  return [...held, ...upstreams.filter((one) => !held.includes(one) && hasManyFaults(one))];
}

const isHeld = ({ breaker }: Upstream) => breaker === "open" || breaker === "half-open";

function hasManyFaults({ recent }: Upstream): boolean {
  return recent !== undefined && recent.calls >= FEWEST_CALLS && recent.faults >= recent.calls * FAILING_SHARE;
}

/** `shop is failing`, `shop and crm are failing`, `4 upstreams are failing`. */
function areFailing(names: readonly string[]): string {
  const [one, other] = names;
  if (names.length > 2) return `${count(names.length)} upstreams are failing`;
  return other === undefined ? `${one} is failing` : `${one} and ${other} are failing`;
}

/** The minute in which the faults of an upstream began: only counts by the minute can tell. */
function upstreamOnset({ calls, series, overview }: KnownParts, { upstream }: Upstream): Onset | undefined {
  if (overview.step !== "minute") return undefined;
  const counts = calls?.upstreams.find((one) => one.upstream === upstream)?.operator;
  if (counts === undefined) return undefined;
  return findOnset(counts, series?.since ?? overview.since);
}

function shareOfCalls(
  known: KnownParts,
  { failing, onset }: { readonly failing: readonly Upstream[]; readonly onset: Onset | undefined },
): string {
  const [lead] = failing;
  const heldSince = lead?.breakerSince;
  const from =
    onset !== undefined
      ? `${since(onset.at, known.nowMs)}${onset.isFirst ? " or earlier" : ""}`
      : lead !== undefined && isHeld(lead) && heldSince !== undefined
        ? since(heldSince, known.nowMs)
        : undefined;
  const sums = failing.map((one) => sumCalls(known, one, onset));
  const calls = sums.reduce((all, one) => all + one.calls, 0);
  const faults = sums.reduce((all, one) => all + one.faults, 0);
  const whose = failing.length === 1 ? "its" : "their";
  if (calls === 0 || faults === 0) return from === undefined ? "" : `Since ${from}, ${whose} calls are held back.`;
  const part = `${share(Math.min(faults, calls), calls)} of ${whose} calls end in a fault`;
  return from === undefined ? `${part}.` : `Since ${from}, ${part}.`;
}

/** Calls since the beginning; without one, those of the last five minutes. */
function sumCalls({ calls }: KnownParts, { upstream, recent }: Upstream, onset: Onset | undefined) {
  const found = onset && calls?.upstreams.find((one) => one.upstream === upstream);
  if (onset === undefined || found === undefined) return recent ?? { calls: 0, faults: 0 };
  return { calls: sum(found.total.slice(onset.index)), faults: sum(found.operator.slice(onset.index)) };
}

function breakerWords(known: KnownParts, failing: readonly Upstream[]): string {
  const held = failing.filter(isHeld);
  const [one] = held;
  if (one === undefined) return "";
  if (held.length > 1 && held.length < failing.length)
    return `${count(held.length)} of their breakers hold calls back.`;
  if (held.length > 1) return "Their breakers hold calls back.";
  const whose = failing.length === 1 ? "Its breaker" : `The breaker of ${one.upstream}`;
  if (one.breaker === "half-open") return `${whose} lets single calls through.`;
  const again = tryAgain(known, one.afterMs);
  return again === undefined ? `${whose} is open.` : `${whose} is open and tries again ${again}.`;
}

/** `in 12 s`, by the age of the answer. */
function tryAgain({ overview, nowMs }: KnownParts, afterMs: number | undefined): string | undefined {
  if (afterMs === undefined) return undefined;
  const at = Date.parse(overview.upstreams.asOf) + afterMs;
  const seconds = Math.ceil((at - nowMs) / 1_000);
  return Number.isFinite(seconds) && seconds > 0 ? `in ${count(seconds)} s` : "now";
}

/** Rule 2b: only breakers of tools are not closed. */
function toolsAreFailing(known: KnownParts): NowVerdict | undefined {
  const held = known.upstreams.flatMap(({ upstream, heldTools = [] }) =>
    heldTools.flatMap(({ tool, name = tool, state, afterMs }) =>
      state === "closed" ? [] : [{ upstream, name, afterMs }],
    ),
  );
  const [lead] = held;
  if (lead === undefined) return undefined;
  const owners = [...new Set(held.map(({ upstream }) => upstream))];
  const again = tryAgain(known, lead.afterMs);
  const tried = held.length === 1 ? "It is" : "The first is";
  const names = held.map(({ name }) => name);
  return {
    tone: "bad",
    first: held.length > 2 ? `${count(held.length)} tools are failing.` : `${areFailing(names)}.`,
    rest: joinClauses([
      owners.length === 1 ? `Other tools of ${lead.upstream} work.` : "Other tools of their upstreams work.",
      again && `${tried} tried again ${again}.`,
    ]),
    ...secondLine(known, {
      onset: classOnset(known, ({ tool }) => tool !== undefined && names.includes(tool)),
      isOfLead: ({ tool, upstream }) => names.includes(tool ?? "") || owners.includes(upstream ?? ""),
    }),
  };
}

/** Rule 4. */
function criticalIsNew(known: KnownParts): NowVerdict | undefined {
  const { classes, nowMs } = known;
  const found = classes?.items.find((one) => one.severity === "critical" && isNew(one, known.overview));
  if (found === undefined) return undefined;
  const isOfLead = ({ fingerprint }: IncidentClass) => fingerprint === found.fingerprint;
  return {
    tone: "bad",
    first: "Something new is broken.",
    rest: `${titleIn(found)}, ${howOften(found.count)} since ${since(found.firstSeen, nowMs)}.`,
    ...secondLine(known, { onset: classOnset(known, isOfLead), isOfLead }),
  };
}

/** Rule 5. From every fifth call on, failures are not a few. */
function asUsual({ classes, calls }: KnownParts): NowVerdict | undefined {
  if (classes === undefined || classes.incidents === 0) return undefined;
  const rest = `${withNoun(classes.incidents, "incident")} of ${withNoun(classes.classes, "cause")}.`;
  const failed = calls?.byOutcome.operator ?? 0;
  return calls && failed > 0 && failed * 5 >= calls.total
    ? { tone: "warn", first: `${failed} of ${withNoun(calls.total, "call")} failed.`, rest, second: "" }
    : { tone: "text", first: "A few calls fail, as usual.", rest, second: "" };
}

/** Rule 6. Without the state of the upstreams it says only what the counts say. */
function nothingFails(known: KnownParts): NowVerdict | undefined {
  const { classes, calls, overview, nowMs } = known;
  if (classes === undefined) return undefined;
  const range = RANGE_WORDS[overviewRange(overview)].last;
  const { last } = classes;
  const rest =
    last === undefined
      ? "No incident has been kept yet."
      : `The last incident was ${ago(last.lastSeen, nowMs)}: ${titleIn(last)}, ${howOften(Math.max(1, last.count))}.`;
  const unknown = (["upstreams", "health"] as const).filter((name) => readPart(overview, name) === undefined);
  if (unknown.length > 0) {
    const what = unknown.map((name) => UNKNOWN_PARTS[name]).join(" and ");
    return { tone: "text", first: `No incidents in ${range}.`, rest: `${what} cannot be read now.`, second: rest };
  }
  const refused = calls === undefined ? 0 : calls.byOutcome.caller + calls.byOutcome.refused;
  const second =
    refused === 0
      ? ""
      : `Mistakes of callers are not incidents: ${withNoun(refused, "call")} ${refused === 1 ? "was" : "were"} refused in ${range}, each with an answer that says what to do.`;
  return { tone: "good", first: "Nothing is failing.", rest, second };
}

const UNKNOWN_PARTS = { upstreams: "The state of the upstreams", health: "The state of the gateway" } as const;

/** The causes cannot be read, and nothing else says what is failing. */
function notKnown({ overview, nowMs }: KnownParts): NowVerdict {
  const part = overview.classes;
  const asOf = part?.asOf ?? overview.asOf;
  const why = part !== undefined && "fault" in part ? withStop(part.fault.message) : "";
  const rest = joinClauses([why, `Asked ${ago(asOf, nowMs)}.`]);
  return { tone: "warn", first: "Incidents cannot be read now.", rest, second: "" };
}

/** The beginning of what the counts by cause show of some causes together. */
function classOnset({ series, classes }: KnownParts, isOfLead: (one: IncidentClass) => boolean): Onset | undefined {
  if (series === undefined || series.step !== "minute") return undefined;
  const prints = classes?.items.filter(isOfLead).map(({ fingerprint }) => fingerprint) ?? [];
  const groups = series.groups.filter(({ group }) => prints.includes(group));
  if (groups.length === 0) return undefined;
  const counts = Array.from({ length: series.length }, (_, at) => sum(groups.map((one) => one.counts[at] ?? 0)));
  return findOnset(counts, series.since);
}

/** What changed shortly before, never as the reason; and how many causes have nothing to do with it. */
function secondLine(
  known: KnownParts,
  { onset, isOfLead }: { readonly onset: Onset | undefined; readonly isOfLead: (one: IncidentClass) => boolean },
): Pick<NowVerdict, "second" | "change"> {
  const change = onset && changeBefore(known.changes, onset);
  const began = change && onset && beganAfter(change, onset);
  const { classes } = known;
  const others = classes?.items.filter((one) => isOfLead(one) || isNew(one, known.overview)).length ?? 0;
  const smaller = Math.max(0, (classes?.classes ?? 0) - others);
  const goOn = smaller === 1 ? "1 smaller cause goes on as usual." : `${count(smaller)} smaller causes go on as usual.`;
  return { second: joinClauses([began, smaller > 0 && goOn]), ...(change && { change }) };
}

function beganAfter(change: Change, onset: Onset): string {
  const minutes = minutesAfter(change, onset);
  const { noun } = changeWords(change);
  return minutes === 0
    ? `It began in the same minute as ${noun}.`
    : `It began ${withNoun(minutes, "minute")} after ${noun}.`;
}

/** First seen in the time that is shown. */
export function isNew({ firstSeen }: IncidentClass, overview: Pick<Overview, "since">): boolean {
  return Date.parse(firstSeen) >= Date.parse(overview.since);
}

function titleIn({ title, reason, tool }: IncidentClass): string {
  const name = title === "" ? reason : title;
  return tool === undefined ? name : `${name} in ${tool}`;
}

/** The time of day; with the day if it is another one. */
function since(at: string | number, nowMs: number): string {
  const time = clock(at, { seconds: false });
  return day(at) === day(nowMs) ? time : `${day(at)}, ${time}`;
}

function howOften(value: number): string {
  return value === 1 ? "once" : value === 2 ? "twice" : `${count(value)} times`;
}

function withStop(text: string): string {
  const words = text.trim();
  return words === "" || /[.!?]$/.test(words) ? words : `${words}.`;
}

const startLower = (text: string) => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
const startUpper = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
const joinClauses = (parts: readonly (string | false | undefined)[]) => parts.filter(Boolean).join(" ");

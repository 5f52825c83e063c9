import { type Fault, render } from "@recourse/core";
import { readSystemFault } from "@recourse/core/reasons";
import { cleanLogText } from "@recourse/core/safety";
import { parseJson } from "@recourse/core/wire";
import { explain, type LoggedCause, type LoggedIncident, readLogValue, sayRepeat } from "@recourse/explain";
import { type IncidentSearch, isLinked, mergeIncidents, relatedSightings, type Sighting } from "./search.ts";

/** One failure, from all that was found about it. Secrets are cut out of its texts. This is what `--json` prints. */
export interface IncidentReport {
  readonly id: string;
  readonly found: true;
  readonly kind?: string;
  readonly reason?: string;
  /** What the reason means, in a few words. */
  readonly title?: string;
  readonly message?: string;
  readonly modelRead?: {
    readonly text: string;
    /** Whether it is the text that was sent, or one that was made again from the logged fault. */
    readonly isSent: boolean;
  };
  readonly at?: string;
  readonly method?: string;
  readonly tool?: string;
  readonly upstream?: string;
  readonly tenant?: string;
  readonly caller?: string;
  readonly durationMs?: number;
  /** The JSON-RPC code that the caller got. */
  readonly code?: number;
  readonly tried?: Fault["tried"];
  readonly requestId?: string;
  readonly trace?: string;
  readonly effect?: Fault["effect"];
  /** Whether the same call may be made again. */
  readonly repeat?: string;
  /** What was thrown, by the program that has logged it. */
  readonly happened: readonly HappenedPart[];
  readonly whatToDo: readonly string[];
  /** Other ids of the same failure. */
  readonly related: readonly RelatedIncident[];
  readonly seen: readonly SeenPlace[];
  /** Commands that tell more. */
  readonly next: readonly string[];
}

/** What one program has logged about the failure. */
interface HappenedPart {
  /** `gateway`, or the name of the upstream, or `server`. */
  readonly where: string;
  readonly id?: string;
  readonly causes: readonly LoggedCause[];
}

interface RelatedIncident {
  readonly id: string;
  readonly what: string;
  /** Whether one of the searched places has it. */
  readonly isFound: boolean;
}

interface SeenPlace {
  readonly source: string;
  readonly line?: number;
  readonly as: string;
  /** The line itself, if nothing else could be read in it. */
  readonly text?: string;
}

const MAX_REPORTED_TEXT = 2_000;
const MAX_FIELD = 300;

const cleanForReport = (text: string, max = MAX_REPORTED_TEXT): string => cleanLogText(text, { max });

/** The report about an id. Undefined if nothing names it. */
export function buildReport(id: string, { ids, sightings }: IncidentSearch): IncidentReport | undefined {
  const related = relatedSightings(id, sightings);
  if (related.length === 0) return undefined;
  const incidents = mergeIncidents(related);
  const own = incidents.filter((one) => one.id === id);
  // What the gateway knows comes first: it knows the caller, and what was sent.
  const ranked = [...own, ...incidents.filter((one) => one.id !== id)];
  const fact = <K extends keyof LoggedIncident>(name: K) =>
    ranked.map((one) => one[name]).find((value) => value !== undefined);
  const messages = related.filter((one) => one.type === "message");
  const [fault] = [...ranked.map((one) => one.fault), ...messages.map((one) => one.fault)].filter(
    (one) => one !== undefined,
  );
  const upstream = fact("upstream");
  const happened = happenedParts(ranked);
  const others = [...ids].filter((one) => one !== id && isLinked(one, related));
  return {
    id,
    found: true,
    ...describeFault({ kind: ranked[0]?.kind, reason: ranked[0]?.reason, fault }),
    ...readModelText(ranked, messages),
    ...cleanTexts({
      at: fact("at") ?? fault?.at,
      method: fact("method"),
      tool: fact("tool"),
      upstream,
      tenant: fact("tenant"),
      caller: fact("caller"),
      requestId: fault?.requestId,
      trace: fault?.trace,
    }),
    ...definedNumbers({ durationMs: fact("durationMs"), code: fact("code") }),
    ...(fault?.tried !== undefined && { tried: fault.tried }),
    happened,
    whatToDo: remedies({ kind: ranked[0]?.kind, reason: ranked[0]?.reason, fault }),
    related: others.map((one) => describeRelated(one, incidents)),
    seen: related.map(describePlace),
    next: furtherCommands({ fault, reason: ranked[0]?.reason, happened, others, incidents }),
  };
}

interface NamedFault {
  readonly kind: string | undefined;
  readonly reason: string | undefined;
  readonly fault: Fault | undefined;
}

function describeFault({ fault, ...named }: NamedFault): Partial<IncidentReport> {
  const kind = named.kind ?? fault?.kind;
  const reason = named.reason ?? fault?.reason;
  const title = explanationFor({ kind, reason, fault })?.title;
  return {
    ...(kind !== undefined && { kind: cleanForReport(kind, MAX_FIELD) }),
    ...(reason !== undefined && { reason: cleanForReport(reason, MAX_FIELD) }),
    ...(title !== undefined && { title }),
    ...(fault !== undefined && {
      message: cleanForReport(fault.message),
      effect: fault.effect,
      repeat: sayRepeat(fault),
    }),
  };
}

function explanationFor({ kind, reason, fault }: NamedFault): ReturnType<typeof explain> {
  if (reason === undefined) return undefined;
  return explain({ reason, ...(kind !== undefined && { kind }), ...(fault !== undefined && { class: fault.class }) });
}

function remedies(named: NamedFault): readonly string[] {
  return explanationFor(named)?.remedies.slice(0, 3) ?? [];
}

function readModelText(
  incidents: readonly LoggedIncident[],
  messages: readonly (Sighting & { readonly type: "message" })[],
): Partial<IncidentReport> {
  const sent = incidents.map((one) => one.sentText).find((text) => text !== undefined) ?? messages[0]?.text;
  if (sent !== undefined) return { modelRead: { text: cleanForReport(sent), isSent: true } };
  const fault = incidents.map((one) => one.fault).find((one) => one !== undefined);
  // A copy counts as made here, so its sentences are not shown as quotations of a sender.
  return fault === undefined
    ? {}
    : { modelRead: { text: cleanForReport(render({ ...fault }, { for: "model" })), isSent: false } };
}

function cleanTexts<K extends string>(facts: Readonly<Record<K, string | undefined>>): Partial<Record<K, string>> {
  const given = Object.entries<string | undefined>(facts).filter(([, text]) => text !== undefined && text !== "");
  return Object.fromEntries(given.map(([name, text]) => [name, cleanForReport(text ?? "", MAX_FIELD)])) as Partial<
    Record<K, string>
  >;
}

function definedNumbers<K extends string>(facts: Readonly<Record<K, number | undefined>>): Partial<Record<K, number>> {
  const given = Object.entries<number | undefined>(facts).filter(([, value]) => Number.isFinite(value));
  return Object.fromEntries(given) as Partial<Record<K, number>>;
}

function happenedParts(incidents: readonly LoggedIncident[]): readonly HappenedPart[] {
  const thrown = incidents.filter(({ causes }) => causes.length > 0);
  return thrown
    .filter((one) => !isToldByUpstream(one, thrown))
    .map(({ writer, id, upstream = upstreamOf(id, incidents), causes }) => ({
      where: cleanForReport(writer === "server" ? (upstream ?? "server") : "gateway", MAX_FIELD),
      ...(id !== undefined && { id }),
      causes: causes.map(cleanCause),
    }));
}

/** The name that a gateway has for the server whose incident this is. */
function upstreamOf(id: string | undefined, incidents: readonly LoggedIncident[]): string | undefined {
  return id === undefined ? undefined : incidents.find((one) => one.upstreamIncident === id)?.upstream;
}

/** A gateway has the answer of the upstream for a cause. The upstream's own record says more. */
function isToldByUpstream({ upstreamIncident, causes }: LoggedIncident, thrown: readonly LoggedIncident[]): boolean {
  const hasStack = causes.some(({ frames }) => frames.length > 0);
  return !hasStack && upstreamIncident !== undefined && thrown.some(({ id }) => id === upstreamIncident);
}

function cleanCause({ relation, name, message, fields, frames }: LoggedCause): LoggedCause {
  const cleanFields = Object.entries(fields).map(([key, value]) => [
    cleanForReport(key, 64),
    cleanForReport(value, MAX_FIELD),
  ]);
  return {
    relation,
    name: cleanForReport(name, 128),
    message: cleanForReport(shortAnswer(message)),
    fields: Object.fromEntries(cleanFields) as Record<string, string>,
    frames: frames.map((frame) => cleanForReport(frame, MAX_FIELD)),
  };
}

/** An answer of an upstream is logged as JSON. Its text is what the reader wants. */
function shortAnswer(message: string): string {
  const start = message.indexOf('{"');
  if (start < 0) return message;
  const [answer] = readLogValue(parseJson(message.slice(start))).failures;
  const text = answer?.text ?? "";
  return text === "" ? message : `${message.slice(0, start)}"${text}"`;
}

function describeRelated(id: string, incidents: readonly LoggedIncident[]): RelatedIncident {
  const own = incidents.find((one) => one.id === id);
  const at = upstreamOf(id, incidents) ?? own?.upstream;
  const name = at === undefined ? "" : ` ${cleanForReport(at, MAX_FIELD)}`;
  const what = own !== undefined && own.writer !== "server" ? "at the gateway" : `at the upstream${name}`;
  return { id, what, isFound: own !== undefined };
}

const SEEN_AS = {
  server: ({ upstream }) =>
    upstream === undefined ? "log of a server" : `log of ${cleanForReport(upstream, MAX_FIELD)}`,
  gateway: () => "log of a gateway",
  store: () => "gateway",
} as const satisfies Record<LoggedIncident["writer"], (incident: LoggedIncident) => string>;

function describePlace(sighting: Sighting): SeenPlace {
  const { source, line } = sighting;
  const place = { source: cleanForReport(source, MAX_FIELD), ...(line !== undefined && { line }) };
  switch (sighting.type) {
    case "incident":
      return { ...place, as: SEEN_AS[sighting.incident.writer](sighting.incident) };
    case "message":
      return { ...place, as: "answer" };
    case "mention":
      return { ...place, as: "mention", text: cleanForReport(sighting.text) };
    default:
      return sighting satisfies never;
  }
}

interface NextFacts {
  readonly fault: Fault | undefined;
  readonly reason: string | undefined;
  readonly happened: readonly HappenedPart[];
  readonly others: readonly string[];
  readonly incidents: readonly LoggedIncident[];
}

function furtherCommands({ fault, reason = fault?.reason, happened, others, incidents }: NextFacts): readonly string[] {
  const missing = others.find((id) => !incidents.some((one) => one.id === id));
  const code = happened.flatMap(({ causes }) => causes).at(-1)?.fields["code"];
  return [
    ...(missing === undefined ? [] : [`recourse incident ${missing} <log of the upstream>`]),
    ...(code !== undefined && readSystemFault({ code }) !== undefined ? [`recourse explain ${code}`] : []),
    ...(reason !== undefined && /^[\w./-]{1,80}$/.test(reason) ? [`recourse explain ${reason}`] : []),
  ];
}

import {
  type Fault,
  type FilterOptions,
  FOREIGN_TEXT,
  type ForeignText,
  installTextFilter,
  redactSecrets,
  type SecretFilter,
} from "@recourse/faults";
import { amendFault, provenanceOf, releaseFault } from "@recourse/faults/internal-do-not-use";
import type { UpstreamOptions } from "../config/types.ts";
import { type Names, translateNames } from "./names.ts";

/** What is known beside a fault on its way to the caller. */
export interface RelayFacts {
  readonly upstream: UpstreamOptions;
  readonly names: Names;
  readonly foreignText: ForeignText;
  readonly secrets: SecretFilter | undefined;
  /** What the caller sent, so that it may read it again. */
  readonly callerTexts: readonly string[];
}

/** A fault that may go to the caller. */
export interface Relayed {
  readonly fault: Fault;
  /** Text of the upstream was hidden, so it has to be found in an incident. */
  readonly textHidden: boolean;
}

installTextFilter();

/** The fault of an upstream as the caller may read it: its words filtered, its names translated, its origin named. */
export function relayFault(given: Fault, facts: RelayFacts): Relayed {
  const { upstream, foreignText, names, secrets, callerTexts } = facts;
  const filter = { secrets, callerTexts };
  const own = withFilteredParams(upstream.speaksFaults ? given : withoutStamps(given), filter);
  const released = releaseFault(translateNames(own, names), { foreignText, ...filter });
  const { fault, textHidden } = foreignText === "hide" ? withoutQuotes(released) : released;
  return { fault: redactSecrets(amendFault(fault, { origin: originOf(given, upstream) }), secrets), textHidden };
}

/** The bridge has decided about the texts of an API before the caller's dialect was known. */
function withoutQuotes({ fault, textHidden }: Relayed): Relayed {
  const { quote, cause } = fault;
  const inner = cause && withoutQuotes({ fault: cause, textHidden: false });
  if (quote === undefined && inner?.fault === cause) return { fault, textHidden };
  return { fault: amendFault(fault, { quote: undefined, cause: inner?.fault }), textHidden: true };
}

/** Hosts show params to models, and those of a reason that is not ours may hold any text. */
function withFilteredParams(fault: Fault, filter: FilterOptions): Fault {
  const { params, cause } = fault;
  const inner = cause && withFilteredParams(cause, filter);
  const isForeign = params !== undefined && provenanceOf(fault) !== undefined;
  if (!isForeign) return inner === cause ? fault : amendFault(fault, { cause: inner });
  const shown = Object.entries(params).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map((item) => filterScalar(item, filter)) : filterScalar(value, filter),
  ]);
  return amendFault(fault, { cause: inner, params: Object.fromEntries(shown) });
}

function filterScalar(value: unknown, filter: FilterOptions): unknown {
  return typeof value === "string" && FOREIGN_TEXT.ruleForValue(value, filter) !== undefined ? null : value;
}

/** The gateway writes id, time and trace itself, and pages about reasons are those of its operator. */
function withoutStamps(fault: Fault): Fault {
  const { docs, at, trace, incident, cause } = fault;
  if ((docs ?? at ?? trace ?? incident ?? cause) === undefined) return fault;
  const bare = { docs: undefined, at: undefined, trace: undefined, incident: undefined };
  return amendFault(fault, { ...bare, cause: cause && withoutName(withoutStamps(cause)) });
}

/** Names of others are what the upstream calls them, which may be any text. */
function withoutName(fault: Fault): Fault {
  return fault.origin.name === undefined ? fault : amendFault(fault, { origin: { layer: fault.origin.layer } });
}

/** An upstream does not say who else has failed, unless its faults are believed as a whole. */
function originOf(fault: Fault, { name, speaksFaults }: UpstreamOptions): Fault["origin"] {
  const { origin } = fault;
  if (origin.layer === "gateway" && isOurs(fault)) return origin;
  return speaksFaults && origin.layer === "upstream" && origin.name !== undefined
    ? origin
    : { layer: "upstream", name };
}

/** Whether this process built a fault, without the word of any peer. */
export function isOurs(fault: Fault): boolean {
  return provenanceOf(fault) === undefined;
}

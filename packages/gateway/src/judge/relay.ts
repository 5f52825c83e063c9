import {
  amendFault,
  FAULT_LIMITS,
  type Fault,
  type FilterOptions,
  isEffectAssumed,
  knownKind,
  type Recourse,
  redactSecrets,
  type SecretFilter,
} from "@recourse/core";
import { readProvenance, recomposeFault, releaseFault } from "@recourse/core/proxy";
import { type ForeignText, tool } from "@recourse/core/reasons";
import { installTextFilter, showLine } from "@recourse/core/safety";
import { glanceAtArguments } from "@recourse/core/schema";
import type { JsonObject } from "@recourse/core/wire";
import type { UpstreamOptions } from "../config/types.ts";

/** What is known beside a fault on its way to the caller. */
interface RelayFacts {
  readonly upstream: UpstreamOptions;
  readonly names: Names;
  readonly foreignText: ForeignText;
  readonly secrets: SecretFilter | undefined;
  /** What the caller sent, so that it may read it again. */
  readonly callerTexts: readonly string[];
}

/** A fault that may go to the caller. */
interface RelayedFault {
  readonly fault: Fault;
  /** Text of the upstream was hidden, so it has to be found in an incident. */
  readonly textHidden: boolean;
}

installTextFilter();

/** The fault of an upstream as the caller may read it: its words filtered, its names translated, its origin named. */
export function relayFault(given: Fault, facts: RelayFacts): RelayedFault {
  const { upstream, foreignText, names, secrets, callerTexts } = facts;
  const filter = { secrets, callerTexts };
  const own = withFilteredParams(upstream.speaksFaults ? given : withoutStamps(given), filter);
  const released = releaseFault(translateNames(own, names), { foreignText, ...filter });
  const { fault, textHidden } = foreignText === "hide" ? withoutQuotes(released) : released;
  const named = amendFault(fault, { origin: relayOrigin(given, upstream) });
  return { fault: redactSecrets(named, secrets), textHidden };
}

/** The bridge has decided about the texts of an API before the caller's dialect was known. */
function withoutQuotes({ fault, textHidden }: RelayedFault): RelayedFault {
  const { quote, cause } = fault;
  const inner = cause && withoutQuotes({ fault: cause, textHidden: false });
  if (quote === undefined && inner?.fault === cause) return { fault, textHidden };
  return { fault: amendFault(fault, { quote: undefined, cause: inner?.fault }), textHidden: true };
}

/** Hosts show params to models, and those of a reason that is not ours may hold any text. */
function withFilteredParams(fault: Fault, filter: FilterOptions): Fault {
  const { params, cause } = fault;
  const inner = cause && withFilteredParams(cause, filter);
  const isForeign = params !== undefined && readProvenance(fault) !== undefined;
  if (!isForeign) return inner === cause ? fault : amendFault(fault, { cause: inner });
  const shown = Object.entries(params).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map((item) => filterScalar(item, filter)) : filterScalar(value, filter),
  ]);
  return amendFault(fault, { cause: inner, params: Object.fromEntries(shown) });
}

function filterScalar(value: unknown, filter: FilterOptions): unknown {
  if (typeof value !== "string" || value === "") return value;
  return showLine(value, { max: FAULT_LIMITS.paramText, role: "value" }, { ...filter, textPolicy: "foreign" }) ?? null;
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
function relayOrigin(fault: Fault, { name, speaksFaults }: UpstreamOptions): Fault["origin"] {
  const { origin } = fault;
  if (origin.layer === "gateway" && isOurs(fault)) return origin;
  return speaksFaults && origin.layer === "upstream" && origin.name !== undefined
    ? origin
    : { layer: "upstream", name };
}

/** Whether this process built a fault, without the word of any peer. */
export function isOurs(fault: Fault): boolean {
  return readProvenance(fault) === undefined;
}

/** How a caller knows what an upstream names. */
export interface Names {
  /** What was called, as the upstream knows it, and as the caller does. */
  readonly target: string | undefined;
  readonly name: string | undefined;
  /** The name of a tool for this caller, `hidden`, or undefined if the upstream has no such tool. */
  readonly toolName: (tool: string) => string | "hidden" | undefined;
}

/** Params that name the tool or the prompt that was called. */
const NAME_PARAMS = ["tool", "prompt"] as const;

/** The fault with the names that the caller uses. Tools that the caller does not see are not named to it. */
function translateNames(fault: Fault, names: Names): Fault {
  const { cause } = fault;
  const inner = cause && translateNames(cause, names);
  const moved = translateMoves(fault, names);
  const renamed = renameCalled(moved, names);
  return inner === cause ? renamed : amendFault(renamed, { cause: inner });
}

function translateMoves(fault: Fault, names: Names): Fault {
  if (fault.recourse.every(({ tool, candidates }) => tool === undefined && candidates === undefined)) return fault;
  const tools: string[] = [];
  const [first, ...more] = fault.recourse;
  const recourse: Fault["recourse"] = [
    translateMove(first, names, tools),
    ...more.map((one) => translateMove(one, names, tools)),
  ];
  const provenance = readProvenance(fault);
  return amendFault(fault, { recourse }, provenance === undefined ? {} : { provenance: { ...provenance, tools } });
}

/** A tool has to be one that the caller sees. A candidate may also be a value of an argument, which stays. */
function translateMove(move: Recourse, { toolName: nameOf }: Names, tools: string[]): Recourse {
  const { tool, candidates, ...rest } = move;
  const named = tool === undefined ? undefined : nameOf(tool);
  const isShown = named !== undefined && named !== "hidden";
  if (isShown) tools.push(named);
  const kept = candidates?.flatMap((candidate) => {
    const known = nameOf(candidate);
    if (known === undefined) return [candidate];
    if (known === "hidden") return [];
    tools.push(known);
    return [known];
  });
  return {
    ...rest,
    ...(isShown && { tool: named }),
    ...(kept !== undefined && kept.length > 0 && { candidates: kept }),
  };
}

/** A sentence of the library that names what was called names it as the caller does. */
function renameCalled(fault: Fault, { target, name }: Names): Fault {
  const { params } = fault;
  if (params === undefined || name === undefined || target === name) return fault;
  const key = NAME_PARAMS.find((one) => params[one] === target);
  if (key === undefined) return fault;
  const renamed = { ...params, [key]: name };
  const message = recomposeFault(fault, renamed)?.message;
  return message === undefined ? fault : amendFault(fault, { params: renamed, message });
}

/** A call of a tool whose upstream refused the arguments. */
interface RefusedCall {
  /** The name that the caller uses. */
  readonly name: string | undefined;
  /** The schema that the caller was listed. */
  readonly inputSchema: unknown;
  readonly params: JsonObject | undefined;
}

/**
 * Says which arguments are wrong if an upstream only says that some are, or that its tool failed: the schema is known
 * here. The upstream's own text is then not needed, and may repeat what was sent. Other faults stay as they are.
 */
export function nameIssues(fault: Fault, { name, inputSchema, params }: RefusedCall): Fault {
  const isSentence = fault.reason === tool.failed.id;
  if ((knownKind(fault) !== "invalid_input" && !isSentence) || fault.issues !== undefined) return fault;
  if (typeof inputSchema !== "object" || inputSchema === null) return fault;
  const issues = glanceAtArguments(params?.["arguments"] ?? {}, inputSchema as JsonObject);
  if (issues.length === 0) return fault;
  const { basis } = fault;
  // A tool that refuses its arguments did nothing, unless it says so itself.
  const effect = isEffectAssumed(fault) ? "none" : fault.effect;
  const refused = tool.invalid_arguments.fault(name === undefined ? {} : { tool: name }, { issues, effect });
  return amendFault(refused, { basis });
}

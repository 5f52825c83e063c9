import { type Fault, type Kind, knownKind } from "@recourse/core";
import type { Call } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import type { Observer } from "../call/observer.ts";
import type { IncidentsConfig } from "../config/types.ts";
import { MINUTE_MS } from "../incidents/incidents.ts";
import { clean, MAX_NAME, storedCaller } from "../incidents/sample.ts";
import {
  CALL_OUTCOMES,
  CALLER_COUNTS,
  type CallerCount,
  type CallerCountKind,
  type CountedOutcome,
  DURATION_BOUNDS,
  OTHER_NAME,
  type ToolCount,
} from "./counts.ts";
import { MinuteNames, type WaitingCounts } from "./waiting-counts.ts";

/** Tools that are remembered. Names come from the lists of upstreams, and reloads can bring new ones. */
const MAX_TALLIED_TOOLS = 5_000;
/** Callers that are counted separately between two moves to the waiting counts. */
const MAX_ACTIVE_CALLERS = 20_000;
/** Limits that are counted separately for one caller. Their names are those of the file. */
const MAX_POLICIES = 100;

const BOUNDS_MS = Float64Array.from(DURATION_BOUNDS, (seconds) => seconds * 1_000);
/** A count of calls, and its histogram. */
const COLUMNS = 1 + BOUNDS_MS.length;
const OUTCOME_INDEX = { ok: 0, caller: 1, refused: 2, operator: 3 } as const satisfies Record<CountedOutcome, number>;

/** Calls of one tool since the last move. The numbers of each outcome stand together. */
interface ToolTally {
  readonly upstream: string;
  readonly tool: string;
  readonly numbers: Int32Array;
  isActive: boolean;
}

/** What one caller did since the last move. */
interface CallerTally {
  readonly tenant: string;
  readonly caller: string;
  calls: number;
  incidents: number;
  lastMs: number;
  /** By the name of the limit. */
  refusals: Map<string, number> | undefined;
  isActive: boolean;
}

/** Kinds of failures by which the gateway refuses a call that its upstream was not asked for. */
const REFUSED_KINDS: ReadonlySet<Kind | undefined> = new Set<Kind>([
  "unauthenticated",
  "forbidden",
  "approval_required",
  "rate_limited",
  "overloaded",
  "unavailable",
]);

/** What came of a call. */
export function outcomeOf({ wasSent }: Pick<Call, "wasSent">, fault: Fault | undefined): CountedOutcome {
  if (fault === undefined) return "ok";
  if (fault.incident !== undefined) return "operator";
  return !wasSent && REFUSED_KINDS.has(knownKind(fault)) ? "refused" : "caller";
}

/** The policy of the limit of this gateway that refused a call, as its fault names it; undefined if none did. */
export function refusingPolicy({ wasSent }: Pick<Call, "wasSent">, fault: Fault): string | undefined {
  return wasSent || fault.reason !== "core/rate_limited" ? undefined : fault.limits?.[0]?.policy;
}

/** The name of that limit: one for tools is known by its pattern. */
function refusingLimit(call: Pick<Call, "wasSent" | "limitedBy">, fault: Fault): string | undefined {
  const policy = refusingPolicy(call, fault);
  return policy === undefined ? undefined : (call.limitedBy ?? policy);
}

interface TallyOptions {
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly callers: IncidentsConfig["callers"];
  readonly waiting: WaitingCounts;
}

/**
 * Counts calls, by tool and by caller. It is on the way of every call: a known tool and a known caller cost a few look-ups and
 * additions, and make no new values.
 */
export class CallTally {
  readonly #options: TallyOptions;
  #tools = new Map<string, Map<string, ToolTally>>();
  #knownTools = 0;
  readonly #activeTools: ToolTally[] = [];
  #callers = new WeakMap<Caller, CallerTally>();
  readonly #activeCallers: CallerTally[] = [];
  readonly #others = newCallerTally("", OTHER_NAME);
  readonly #unknown = newCallerTally("", "");
  readonly #toolNames = new MinuteNames();
  readonly #callerNames = {
    call: new MinuteNames(),
    refusal: new MinuteNames(),
    incident: new MinuteNames(),
  } as const satisfies Record<CallerCountKind, MinuteNames>;
  #minuteMs: number;

  constructor(options: TallyOptions) {
    this.#options = options;
    this.#minuteMs = floorToMinute(options.now());
  }

  /** The observer, whose calls are counted from now on. */
  watch(observer: Observer): Observer {
    return {
      ...observer,
      ended: (call, fault) => {
        observer.ended(call, fault);
        this.count(call, fault);
      },
    };
  }

  /** Counts a call that has ended. What the gateway answers itself, such as a list, is no call unless it fails. */
  count(call: Call, fault: Fault | undefined): void {
    const { route, message, caller } = call;
    const routed = route?.kind === "upstream" ? route : undefined;
    if (fault === undefined && (routed === undefined || message?.id === undefined)) return;
    const { now, monotonic } = this.#options;
    const nowMs = now();
    if (nowMs >= this.#minuteMs + MINUTE_MS || nowMs < this.#minuteMs) this.#roll(nowMs);
    const outcome = outcomeOf(call, fault);
    const tally = this.#toolTally(routed?.upstream.options.name ?? "", routed?.tool?.name ?? "");
    const column = OUTCOME_INDEX[outcome] * COLUMNS;
    add(tally.numbers, column);
    add(tally.numbers, column + 1 + bucketOf(monotonic() - call.startedMs - call.waitedMs));
    const policy = fault === undefined ? undefined : refusingLimit(call, fault);
    if (caller === undefined && policy === undefined) return;
    const who = caller === undefined ? this.#activate(this.#unknown) : this.#callerTally(caller);
    who.lastMs = nowMs;
    if (caller !== undefined) who.calls += 1;
    if (outcome === "operator" && caller !== undefined) who.incidents += 1;
    if (policy !== undefined) addRefusal(who, policy);
  }

  /** Whether nothing was counted since the last move. */
  get isIdle(): boolean {
    return this.#activeTools.length === 0;
  }

  /** Moves what was counted to what waits to be written. */
  move(): void {
    this.#roll(this.#options.now());
  }

  /** Forgets what a caller did, by what it may be kept as. */
  erase(forms: readonly string[]): void {
    for (const tally of this.#activeCallers) if (forms.includes(tally.caller)) resetCaller(tally);
    this.#options.waiting.erase(forms);
  }

  #roll(nowMs: number): void {
    const minuteMs = this.#minuteMs;
    const time = { minuteMs };
    const { waiting } = this.#options;
    for (const count of this.#toolNames.limit(minuteMs, this.#activeTools.flatMap(toolCounts), TOOL_NAMES))
      waiting.addTool(count, time);
    for (const what of CALLER_COUNTS) {
      const counts = this.#activeCallers.flatMap((tally) => callerCounts(tally, what));
      for (const count of this.#callerNames[what].limit(minuteMs, counts, CALLER_NAMES)) waiting.addCaller(count, time);
    }
    for (const tally of this.#activeTools) {
      tally.numbers.fill(0);
      tally.isActive = false;
    }
    for (const tally of this.#activeCallers) {
      resetCaller(tally);
      tally.isActive = false;
    }
    this.#activeTools.length = 0;
    this.#activeCallers.length = 0;
    this.#minuteMs = floorToMinute(nowMs);
    if (this.#knownTools >= MAX_TALLIED_TOOLS) {
      this.#tools = new Map();
      this.#knownTools = 0;
    }
  }

  #toolTally(upstream: string, tool: string): ToolTally {
    const known = this.#tools.get(upstream)?.get(tool) ?? this.#newToolTally(upstream, tool);
    if (!known.isActive) {
      known.isActive = true;
      this.#activeTools.push(known);
    }
    return known;
  }

  #newToolTally(upstream: string, tool: string): ToolTally {
    let tools = this.#tools.get(upstream);
    if (tools === undefined) {
      tools = new Map();
      this.#tools.set(upstream, tools);
    }
    const name = this.#knownTools < MAX_TALLIED_TOOLS ? tool : OTHER_NAME;
    let tally = tools.get(name);
    if (tally !== undefined) return tally;
    const numbers = new Int32Array(CALL_OUTCOMES.length * COLUMNS);
    tally = { upstream: clean(upstream, MAX_NAME), tool: clean(name, MAX_NAME), numbers, isActive: false };
    tools.set(name, tally);
    this.#knownTools += 1;
    return tally;
  }

  #callerTally(caller: Caller): CallerTally {
    const known = this.#callers.get(caller);
    if (known?.isActive === true) return known;
    if (this.#activeCallers.length >= MAX_ACTIVE_CALLERS) return this.#activate(this.#others);
    const tally = known ?? newCallerTally(clean(caller.tenant, MAX_NAME), this.#keptCaller(caller));
    if (known === undefined) this.#callers.set(caller, tally);
    return this.#activate(tally);
  }

  #keptCaller({ id }: Caller): string {
    return storedCaller(id, this.#options.callers) ?? "";
  }

  #activate(tally: CallerTally): CallerTally {
    if (!tally.isActive) {
      tally.isActive = true;
      this.#activeCallers.push(tally);
    }
    return tally;
  }
}

function newCallerTally(tenant: string, caller: string): CallerTally {
  return { tenant, caller, calls: 0, incidents: 0, lastMs: 0, refusals: undefined, isActive: false };
}

function resetCaller(tally: CallerTally): void {
  tally.calls = 0;
  tally.incidents = 0;
  tally.refusals = undefined;
}

function add(numbers: Int32Array, index: number): void {
  numbers[index] = (numbers[index] ?? 0) + 1;
}

function addRefusal(tally: CallerTally, policy: string): void {
  tally.refusals ??= new Map();
  const { refusals } = tally;
  const name = refusals.has(policy) || refusals.size < MAX_POLICIES ? policy : OTHER_NAME;
  refusals.set(name, (refusals.get(name) ?? 0) + 1);
}

/** The bucket of a duration. What took longer than the last bound is in the last one. */
export function bucketOf(ms: number): number {
  const last = BOUNDS_MS.length - 1;
  let index = 0;
  while (index < last && ms > (BOUNDS_MS[index] ?? 0)) index += 1;
  return index;
}

function floorToMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

function toolCounts({ upstream, tool, numbers }: ToolTally): ToolCount[] {
  return CALL_OUTCOMES.flatMap((outcome, index) => {
    const from = index * COLUMNS;
    const n = numbers[from] ?? 0;
    return n === 0 ? [] : [{ upstream, tool, outcome, n, durations: [...numbers.subarray(from + 1, from + COLUMNS)] }];
  });
}

function callerCounts({ tenant, caller, calls, incidents, refusals, lastMs }: CallerTally, what: CallerCountKind) {
  const one = (n: number, policy = ""): CallerCount[] =>
    n === 0 ? [] : [{ what, tenant, caller, policy: clean(policy, MAX_NAME), n, lastMs }];
  switch (what) {
    case "call":
      return one(calls);
    case "incident":
      return one(incidents);
    case "refusal":
      return [...(refusals ?? [])].flatMap(([policy, n]) => one(n, policy));
    default:
      return what satisfies never;
  }
}

const TOOL_NAMES = {
  // All outcomes of a tool belong together.
  nameOf: ({ upstream, tool }: ToolCount) => `${upstream}\n${tool}`,
  asOther: (count: ToolCount): ToolCount => ({ ...count, tool: OTHER_NAME }),
};
const CALLER_NAMES = {
  nameOf: ({ tenant, caller, policy }: CallerCount) => `${tenant}\n${caller}\n${policy}`,
  asOther: (count: CallerCount): CallerCount => ({ ...count, tenant: "", caller: OTHER_NAME }),
};

import type { Fault } from "@recourse/core";
import { type BreakerScope, scopeId } from "../breaker/breakers.ts";
import type { Call } from "../call/call.ts";
import type { ControlName, Observer } from "../call/observer.ts";

/** What this process has seen of one upstream since it started. */
interface UpstreamActivity {
  readonly requests: number;
  readonly failures: number;
  /** The last failure that an operator should know about. */
  readonly lastFailure:
    | {
        /** ISO 8601 time. */
        readonly at: string;
        readonly reason: string;
        /** The id that the caller got. */
        readonly incident: string;
      }
    | undefined;
}

interface RequestTally {
  requests: number;
  failures: number;
  lastFailure?: UpstreamActivity["lastFailure"];
}

/** Names come from the file, and reloads can bring new ones. Those that are first are kept. */
const MAX_UPSTREAMS = 1_000;
/** Controls and breakers whose changes are remembered. */
const MAX_CHANGES = 10_000;

/**
 * Counts the requests of this process and remembers since when its parts are as they are. It costs a few additions for each
 * request, and is bounded whatever callers send.
 */
export class Activity {
  readonly #now: () => number;
  readonly #startedMs: number;
  readonly #total: RequestTally = { requests: 0, failures: 0 };
  readonly #upstreams = new Map<string, RequestTally>();
  readonly #away = new Map<ControlName, { readonly sinceMs: number; readonly answer?: string }>();
  readonly #breakers = new Map<string, number>();
  /** The newest incident of each tool, by the name of its breaker. The one that failed the longest ago is first. */
  readonly #toolIncidents = new Map<string, string>();

  /** `now` is a clock in ms since 1970. */
  constructor(now: () => number) {
    this.#now = now;
    this.#startedMs = now();
  }

  /** The observer, which from now on is counted. */
  watch(observer: Observer): Observer {
    return {
      ...observer,
      ended: (call, fault) => {
        observer.ended(call, fault);
        this.#count(call, fault);
      },
      switched: (control, state, answer) => {
        observer.switched(control, state, answer);
        if (state === "back") this.#away.delete(control);
        else if (!this.#away.has(control) && this.#away.size < MAX_CHANGES)
          this.#away.set(control, { sinceMs: this.#now(), answer });
      },
      breaker: (scope, state) => {
        observer.breaker(scope, state);
        const id = scopeId(scope);
        if (this.#breakers.size < MAX_CHANGES || this.#breakers.has(id)) this.#breakers.set(id, this.#now());
        // A closed breaker of a tool is listed nowhere.
        if (state === "closed" && scope.tool !== undefined) this.#breakers.delete(id);
      },
    };
  }

  /** When this process started: ISO 8601 time. */
  get startedAt(): string {
    return isoTime(this.#startedMs);
  }

  /** All requests since the start, and those that were answered with a fault. */
  get total(): Pick<UpstreamActivity, "requests" | "failures"> {
    return { requests: this.#total.requests, failures: this.#total.failures };
  }

  upstream(name: string): UpstreamActivity {
    const { requests = 0, failures = 0, lastFailure } = this.#upstreams.get(name) ?? {};
    return { requests, failures, lastFailure };
  }

  /** The controls that are down, since when (ISO 8601 times), and what callers get meanwhile, if that was said. */
  get away(): readonly { readonly control: ControlName; readonly since: string; readonly answer?: string }[] {
    return [...this.#away].map(([control, { sinceMs, ...said }]) => ({ control, since: isoTime(sinceMs), ...said }));
  }

  /** When a breaker changed for the last time: ISO 8601 time. Undefined if it never did. */
  breakerSince(scope: BreakerScope): string | undefined {
    const since = this.#breakers.get(scopeId(scope));
    return since === undefined ? undefined : isoTime(since);
  }

  /** The newest incident of an upstream or of one of its tools, as this process has seen it. */
  lastIncident(scope: BreakerScope): string | undefined {
    if (scope.tool === undefined) return this.#upstreams.get(scope.upstream)?.lastFailure?.incident;
    return this.#toolIncidents.get(scopeId(scope));
  }

  /** What a look at a part has shown, if there is no other sign. Gives since when it is down; undefined if it works. */
  looked(control: ControlName, { isAway }: { readonly isAway: boolean }): string | undefined {
    if (!isAway) this.#away.delete(control);
    else if (!this.#away.has(control)) this.#away.set(control, { sinceMs: this.#now() });
    const known = this.#away.get(control);
    return known === undefined ? undefined : isoTime(known.sinceMs);
  }

  #count({ route }: Call, fault: Fault | undefined): void {
    const upstream = route?.kind === "upstream" ? this.#upstreamTally(route.upstream.options.name) : undefined;
    for (const tally of [this.#total, upstream]) {
      if (tally === undefined) continue;
      tally.requests += 1;
      if (fault !== undefined) tally.failures += 1;
    }
    // Mistakes of callers have no incident.
    if (upstream !== undefined && fault?.incident !== undefined)
      upstream.lastFailure = { at: isoTime(this.#now()), reason: fault.reason, incident: fault.incident };
    if (
      fault?.incident !== undefined &&
      route?.kind === "upstream" &&
      route.tool !== undefined &&
      route.target !== undefined
    )
      this.#keepToolIncident({ upstream: route.upstream.options.name, tool: route.target }, fault.incident);
  }

  #keepToolIncident(scope: BreakerScope, incident: string): void {
    const id = scopeId(scope);
    this.#toolIncidents.delete(id);
    this.#toolIncidents.set(id, incident);
    const [oldest] = this.#toolIncidents.keys();
    if (this.#toolIncidents.size > MAX_CHANGES && oldest !== undefined) this.#toolIncidents.delete(oldest);
  }

  #upstreamTally(name: string): RequestTally | undefined {
    const known = this.#upstreams.get(name);
    if (known !== undefined || this.#upstreams.size >= MAX_UPSTREAMS) return known;
    const tally: RequestTally = { requests: 0, failures: 0 };
    this.#upstreams.set(name, tally);
    return tally;
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

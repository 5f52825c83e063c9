// What happens, as it happens, for the streams of operators. Each process has a ring of the last minute. Incidents, approvals
// and changes are passed on to the other processes; breakers and stores each process knows by itself.

import { isObject, type JsonObject, numberAt, stringAt } from "@recourse/core/wire";
import type { Approval } from "../approvals/approvals.ts";
import type { BreakerScope, BreakerView } from "../breaker/breakers.ts";
import type { ControlName, Observer } from "../call/observer.ts";
import type { Change } from "../changes/changes.ts";
import type { GatewayIncident } from "../incidents/incidents.ts";
import type { ReplicaBus } from "../stores/replica-bus.ts";
import { LiveRing } from "./ring.ts";
import { type LiveStreamOptions, LiveStreams } from "./streams.ts";

/** The data of each event, by its name. */
interface LiveEventData {
  readonly incident: {
    readonly id: string;
    readonly at: string;
    readonly fingerprint: string;
    readonly reason: string;
    readonly kind: string;
    readonly tool?: string | undefined;
    readonly upstream?: string | undefined;
    readonly tenant?: string | undefined;
    readonly effect?: string | undefined;
  };
  readonly approval: { readonly id: string; readonly state: string; readonly expiresAt?: string | undefined };
  readonly breaker: BreakerScope & { readonly state: BreakerView["state"]; readonly at: string };
  readonly store: { readonly part: string; readonly state: "away" | "back"; readonly at: string };
  readonly change: Change;
}

/** What was counted since the tick before. */
interface TickCounts {
  readonly incidents: number;
  readonly calls: number;
  readonly faults: number;
  readonly dropped: number;
}

/** Options of `Live`. */
export interface LiveOptions {
  /** Clock, in ms since 1970. */
  readonly now: () => number;
  /** How long a tick is. @default 1_000 */
  readonly tickMs?: number;
}

/** Events of a gateway in a second; beyond it there are only ticks. */
const MAX_EVENTS_A_TICK = 200;
/** The part of them that incidents may take: a breaker that opens is reported even in the worst outage. */
const INCIDENT_SHARE = 0.75;
/** Events wait this long to be passed on together. */
const OUTBOX_MS = 100;
const LIVE_TICK_MS = 1_000;
/** A process that has nothing to tell says so every so many ticks. */
const QUIET_TICKS = 5;
/** A process of which nothing was received for so many ticks takes no share of the events. */
const SILENT_TICKS = 12;
const LIVE_MESSAGE = "live";
const MAX_LIVE_CHARS = 16_384;
const MAX_LIVE_NAME = 256;
const MAX_REPLICAS = 1_000;
const PASSED_ON = ["incident", "approval", "change"] as const satisfies readonly (keyof LiveEventData)[];
const NOTHING: TickCounts = { incidents: 0, calls: 0, faults: 0, dropped: 0 };

/** What happens in a gateway, as this process knows it. */
export class Live {
  readonly #options: LiveOptions;
  readonly #ring: LiveRing;
  readonly #streams: LiveStreams;
  readonly #away = new Set<ControlName>();
  /** The tick in which something was last received of each other process. */
  readonly #others = new Map<string, number>();
  #outbox: JsonObject[] = [];
  #outboxTimer: NodeJS.Timeout | undefined;
  #ticks: NodeJS.Timeout | undefined;
  #tickCount = 0;
  #bus: ReplicaBus | undefined;
  /** Of this process, and of all others. */
  #own = { ...NOTHING };
  #received = { ...NOTHING };
  #events = 0;
  #incidents = 0;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#ring = new LiveRing(options.now);
    this.#streams = new LiveStreams(this.#ring);
  }

  /** Begins. Without it nothing is kept, and no stream can be opened. */
  start(bus: ReplicaBus): void {
    this.#bus = bus;
    this.#ring.name = bus.replica;
    bus.on(LIVE_MESSAGE, (body, from) => {
      this.#receive(body, from);
      return undefined;
    });
    this.#ticks = setInterval(() => this.#tick(), this.#options.tickMs ?? LIVE_TICK_MS).unref();
  }

  /** The observer, which from now on is watched. */
  watch(observer: Observer): Observer {
    return {
      ...observer,
      ended: (call, fault) => {
        observer.ended(call, fault);
        this.#own.calls += 1;
        if (fault !== undefined) this.#own.faults += 1;
      },
      breaker: (scope, state) => {
        observer.breaker(scope, state);
        this.#publish("breaker", { ...scope, state, at: this.#at() });
      },
      switched: (control, state, answer) => {
        observer.switched(control, state, answer);
        // Several parts can use one control, and each finds out for itself.
        if (this.#away.has(control) === (state === "away")) return;
        if (state === "away") this.#away.add(control);
        else this.#away.delete(control);
        this.#publish("store", { part: control, state, at: this.#at() });
      },
    };
  }

  /** There is an incident. Those that are only counted are part of the next tick. */
  incident({ fault, at, tool, upstream, tenant, admission }: GatewayIncident): void {
    this.#own.incidents += 1;
    if (fault.incident === undefined || admission === undefined || !admission.isKept) return;
    if (this.#incidents >= MAX_EVENTS_A_TICK * INCIDENT_SHARE * this.#share) {
      this.#own.dropped += 1;
      return;
    }
    this.#incidents += 1;
    const { reason, kind, effect } = fault;
    const names = { tool: shortName(tool), upstream: shortName(upstream), tenant: shortName(tenant) };
    const { fingerprint } = admission;
    this.#publish("incident", { id: fault.incident, at, fingerprint, reason, kind, ...names, effect });
  }

  /** An approval waits, or was decided. */
  approval({ id, state, expiresAt }: Pick<Approval, "id" | "state" | "expiresAt">): void {
    this.#publish("approval", { id, state, expiresAt });
  }

  /** Something changed. */
  change(change: Change): void {
    this.#publish("change", change);
  }

  /** Opens a stream; undefined if there are too many, or the gateway stops. */
  open(options: LiveStreamOptions): ReadableStream<Uint8Array> | undefined {
    return this.#bus === undefined ? undefined : this.#streams.open(options);
  }

  /** Whether another stream can be opened. */
  get hasRoom(): boolean {
    return this.#bus !== undefined && this.#streams.hasRoom;
  }

  /** Ends all streams at once. */
  close(): void {
    clearInterval(this.#ticks);
    clearTimeout(this.#outboxTimer);
    this.#streams.close();
  }

  /** The part of the events that is left for this process. */
  get #share(): number {
    return 1 / (1 + this.#others.size);
  }

  #at(): string {
    return new Date(this.#options.now()).toISOString();
  }

  #publish<Name extends keyof LiveEventData>(name: Name, data: LiveEventData[Name]): void {
    if (this.#bus === undefined) return;
    const isPassedOn = PASSED_ON.some((one) => one === name);
    const isFull = this.#events >= MAX_EVENTS_A_TICK * (isPassedOn ? this.#share : 1);
    if (isFull) {
      this.#own.dropped += 1;
      return;
    }
    this.#events += 1;
    this.#keep(name, data);
    if (!isPassedOn) return;
    this.#outbox.push({ name, data });
    this.#outboxTimer ??= setTimeout(() => this.#passOn(), OUTBOX_MS).unref();
  }

  #keep(name: string, data: object): void {
    this.#streams.send(this.#ring.add(name, JSON.stringify(data)));
  }

  #passOn(): void {
    this.#outboxTimer = undefined;
    const events = this.#outbox;
    this.#outbox = [];
    if (events.length > 0) this.#bus?.broadcast(LIVE_MESSAGE, { events });
  }

  #tick(): void {
    this.#tickCount += 1;
    const [own, received] = [this.#own, this.#received];
    this.#own = { ...NOTHING };
    this.#received = { ...NOTHING };
    this.#events = 0;
    this.#incidents = 0;
    const isQuiet = Object.values(own).every((count) => count === 0);
    if (!isQuiet || this.#tickCount % QUIET_TICKS === 1) this.#bus?.broadcast(LIVE_MESSAGE, { counts: { ...own } });
    for (const [replica, at] of this.#others) if (this.#tickCount - at > SILENT_TICKS) this.#others.delete(replica);
    this.#keep("tick", { at: this.#at(), ...sumCounts(own, received) });
  }

  /** What another process tells. It is of this version or of another one, so whatever is not understood is left out. */
  #receive(body: JsonObject, from: string): void {
    if (this.#others.has(from) || this.#others.size < MAX_REPLICAS) this.#others.set(from, this.#tickCount);
    const { counts, events } = body;
    if (isObject(counts)) this.#received = sumCounts(this.#received, readCounts(counts));
    if (!Array.isArray(events)) return;
    for (const event of events.slice(0, MAX_EVENTS_A_TICK)) {
      const name = PASSED_ON.find((one) => one === stringAt(event, "name"));
      const data = isObject(event) ? event["data"] : undefined;
      if (name === undefined || !isObject(data)) continue;
      if (this.#events >= MAX_EVENTS_A_TICK || JSON.stringify(data).length > MAX_LIVE_CHARS) {
        this.#received = { ...this.#received, dropped: this.#received.dropped + 1 };
        continue;
      }
      this.#events += 1;
      this.#keep(name, data);
    }
  }
}

function shortName(name: string | undefined): string | undefined {
  return name?.slice(0, MAX_LIVE_NAME);
}

function sumCounts(one: TickCounts, other: TickCounts): TickCounts {
  return {
    incidents: one.incidents + other.incidents,
    calls: one.calls + other.calls,
    faults: one.faults + other.faults,
    dropped: one.dropped + other.dropped,
  };
}

function readCounts(counts: JsonObject): TickCounts {
  const read = (name: keyof TickCounts) => Math.max(0, Math.floor(numberAt(counts, name) ?? 0));
  return { incidents: read("incidents"), calls: read("calls"), faults: read("faults"), dropped: read("dropped") };
}

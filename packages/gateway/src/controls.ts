import type { Sink } from "@recourse/core/server";
import { type ApprovalStore, linkTo } from "./approvals/approvals.ts";
import { ApprovalNotifier } from "./approvals/notify.ts";
import { openApprovals } from "./approvals/open-approvals.ts";
import { openBreakers } from "./breaker/breaker-set.ts";
import type { Breakers } from "./breaker/breakers.ts";
import { guardedSink, type Observer } from "./call/observer.ts";
import type { Audit } from "./changes/audit.ts";
import type { Changes } from "./changes/changes.ts";
import type { GatewayConfig } from "./config/types.ts";
import type { GatewayCounts } from "./counts/counts.ts";
import { openCounts, type WaitingTally } from "./counts/open-counts.ts";
import { type CountedIdempotency, countKeys, openIdempotency } from "./idempotency/idempotency.ts";
import type { GatewayIncident, Incidents } from "./incidents/incidents.ts";
import { openIncidents } from "./incidents/postgres-incidents.ts";
import { storedCaller } from "./incidents/sample.ts";
import type { Switches } from "./incidents/switches.ts";
import { HeldCalls } from "./questions/held-calls.ts";
import { HeldLegs } from "./questions/held-legs.ts";
import { OpenQuestions } from "./questions/open-questions.ts";
import { createRounds, type Rounds } from "./rounds/rounds.ts";
import { type CallerSessions, createCallerSessions } from "./sessions/caller-sessions.ts";
import { OpenStreams } from "./sessions/open-streams.ts";
import { SessionStates } from "./sessions/session-states.ts";
import { openGatewaySecret } from "./stores/gateway-secret.ts";
import type { Stores } from "./stores/open-stores.ts";
import type { ReplicaBus } from "./stores/replica-bus.ts";

/** The parts that remember something over calls and configurations, in this process or in the engines. */
export interface Controls {
  readonly idempotency: CountedIdempotency;
  readonly approvals: ApprovalStore | undefined;
  readonly rounds: Rounds;
  /** The calls that are held while their callers are asked by an answer. */
  readonly held: HeldCalls;
  /** The calls that go on with a held one. */
  readonly legs: HeldLegs;
  /** Messages to the other replicas. Each handler registers for its kind of message once, at the start. */
  readonly bus: ReplicaBus;
  /** The sessions of callers of the older era. */
  readonly sessions: CallerSessions;
  /** What has become of them. `onEnd` tells when one is over. */
  readonly sessionStates: SessionStates;
  /** The streams that their callers have opened at this replica. `send` reaches a session outside of its calls. */
  readonly streams: OpenStreams;
  /** Signs what callers send back; each sort of text begins with a label of its own. */
  readonly secret: Buffer;
  /** What upstreams have asked callers of this process, and was not answered yet. */
  readonly questions: OpenQuestions;
  readonly breakers: Breakers | undefined;
  readonly incidents: Incidents | undefined;
  /** What was counted of calls and callers. */
  readonly counts: GatewayCounts | undefined;
  readonly audit: Audit | undefined;
  /** Takes incidents: to the log, and to where they are kept. */
  readonly sink: Sink<GatewayIncident>;
  /** Stores what is not stored yet, and closes everything, within a bound. */
  close(): Promise<void>;
}

/** What controls need beside a configuration and its stores. */
export interface ControlParts {
  readonly observer: Observer;
  /** Receives incidents for the log. */
  readonly log: Sink;
  readonly switches: Switches;
  readonly bus: ReplicaBus;
  /** Records what changes. @default nothing is recorded */
  readonly changes?: Pick<Changes, "flipped">;
  /** @default nobody knows what operators do */
  readonly audit?: Audit;
  /** Calls that are counted. */
  readonly counted: WaitingTally;
  /** Clock, in ms since 1970. */
  readonly now: () => number;
  /** The configuration that counts at the moment. @default the one at the start */
  readonly currentConfig?: () => GatewayConfig;
}

/** Opens what a configuration asks for. It rejects if a table cannot be made. */
export async function openControls(
  config: GatewayConfig,
  stores: Stores,
  { observer, log, switches, bus, changes, audit, counted, now, currentConfig = () => config }: ControlParts,
): Promise<Controls & { readonly incidents: Incidents }> {
  const idempotency = countKeys(await openIdempotency(config, stores, observer));
  const approvalsNow = () => currentConfig().approvals;
  const notifier = new ApprovalNotifier({
    target: () => approvalsNow()?.notify,
    showCaller: (caller) => storedCaller(caller, config.incidents.callers),
    pageOf: (id) => linkTo(id, approvalsNow()?.link),
    observer,
    now,
  });
  const approvals = await openApprovals(stores, observer, {
    onChange(change) {
      if (change.state === "pending") notifier.notify(change);
    },
  });
  const secret = await openGatewaySecret(stores);
  const rounds = createRounds(secret, { now });
  const held = new HeldCalls({ replica: bus.replica, rounds });
  const legs = new HeldLegs({ bus, held });
  const sessions = createCallerSessions(secret, { now });
  const sessionStates = new SessionStates({ stores, bus, observer, now });
  const streams = new OpenStreams();
  sessionStates.onEnd((nonce) => streams.closeSession(nonce));
  const incidents = await openIncidents(config, stores, observer);
  const counts = await openCounts({
    ...counted,
    stores,
    reader: incidents.reader,
    keepMs: config.incidents.keepMs,
    observer,
  });
  const keep = guardedSink("store of incidents", observer, incidents.sink);
  const write = guardedSink("sink of incidents", observer, log);
  const sink = (incident: GatewayIncident) => {
    keep(incident);
    // What is only counted has the id of an incident that was written.
    if (incident.admission?.isKept !== false) write(incident);
  };
  switches.reportTo((incident) => {
    const admission = incidents.admit({ ...incident, atMs: Date.parse(incident.at) });
    sink({ ...incident, admission });
  });
  const breakers = openBreakers(config, stores, observer, {
    onTrip: (scope) => switches.opened(scope),
    onFlip: (flip) => changes?.flipped(flip),
  });
  return {
    idempotency,
    approvals,
    rounds,
    held,
    legs,
    questions: new OpenQuestions({ bus }),
    bus,
    sessions,
    sessionStates,
    streams,
    secret,
    breakers,
    incidents,
    counts,
    audit,
    sink,
    async close() {
      breakers?.close();
      notifier.close();
      await Promise.allSettled([idempotency.close(), approvals.close(), incidents.close(), counts.close()]);
    },
  };
}

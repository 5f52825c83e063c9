import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Sink } from "@recourse/core/server";
import { checkNumbers, MAX_TIMER_MS, type TestingOptions, toClock } from "@recourse/core/wire";
import { startAdmin } from "./admin/start-admin.ts";
import type { AnswerOptions } from "./answer/answer.ts";
import { ToldFailures } from "./answer/told-failures.ts";
import { protectedResourceMetadata } from "./auth/resource-metadata.ts";
import { inBackground, type Observer, runGuarded } from "./call/observer.ts";
import { agreeOnRevision, VERSION } from "./catalog/own-results.ts";
import { changedOptions, keepFixed } from "./changes/changed-options.ts";
import { Changes } from "./changes/changes.ts";
import { openChanges, openEvents } from "./changes/open-changes.ts";
import { type Replicas, readPartStates } from "./changes/replicas.ts";
import type { GatewayConfig } from "./config/types.ts";
import { openControls } from "./controls.ts";
import { startTally } from "./counts/open-counts.ts";
import { closeGently, createListener } from "./edge/listener.ts";
import type { Pages } from "./edge/pages.ts";
import { startTelemetryListener } from "./edge/telemetry-listener.ts";
import { type GenerationParts, openGeneration } from "./generation.ts";
import { cleanClient } from "./incidents/call-facts.ts";
import { Switches } from "./incidents/switches.ts";
import { Shares } from "./limits/shares.ts";
import { PipelineRunner } from "./pipeline/runner.ts";
import { SCHEMA_PARTS } from "./schema-parts.ts";
import { createKeyTable, type KeyStore, postgresKeys } from "./stores/keys.ts";
import { openStores, type Stores } from "./stores/open-stores.ts";
import { migrate } from "./stores/postgres.ts";
import { createReplicaBus, replicaName } from "./stores/replica-bus.ts";
import { Activity } from "./telemetry/activity.ts";
import { createObserver, guardedObserver } from "./telemetry/create-observer.ts";

/** A running gateway. */
export interface Gateway {
  /** The address of the MCP endpoint. */
  readonly url: URL;
  /** The address of the API for operators; undefined if none exists. */
  readonly adminUrl: URL | undefined;
  /** The address of the console; undefined if it is off. */
  readonly consoleUrl: URL | undefined;
  /** The address of the listener with `/health`, `/ready` and `/metrics` alone; undefined if none exists. */
  readonly telemetryUrl: URL | undefined;
  /**
   * Takes over a new configuration. Calls under way end by the old one. Options that can change only at a start keep their
   * values, and the log names them.
   */
  reload(config: GatewayConfig): Promise<void>;
  /**
   * Records that a new configuration was not taken over, such as a file with problems. The names are those of the options that
   * are wrong, such as `upstreams.shop.url`; never give values. @default no option is named
   */
  reloadRefused(names?: readonly string[]): void;
  /** Refuses new calls, lets those under way end, and closes everything. */
  close(): Promise<void>;
}

/** What a gateway can be given beside its configuration. */
export interface GatewayOptions {
  /** Receives what happens. @default metrics, traces and log lines as the configuration says */
  readonly observer?: Observer;
  /** Receives incidents, at most 1,000 of one sort in a minute. @default a log line for each */
  readonly sink?: Sink;
  /** Replaces time in tests. @default the platform's */
  readonly testing?: TestingOptions;
  /** How long the body of a request may take, in ms. @default 30_000 */
  readonly bodyTimeoutMs?: number;
  /**
   * How long a keyed call may take to end and to be stored after its deadline, in ms. Only then do other replicas take its key
   * for one whose outcome is unknown. @default 5_000
   */
  readonly claimGraceMs?: number;
  /** Where the built console is. @default the one in the package */
  readonly consoleFolder?: string;
}

/** Equal changes of the configuration within this time are those of several processes. */
const CONFIG_MERGE_MS = 60_000;
/** The most options of a refused file that are recorded. */
const MAX_REFUSED_NAMES = 100;

/** Starts a gateway. It rejects if the address is taken, a store cannot be reached, or a number is out of its range. */
export async function startGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  checkNumbers("", options, { bodyTimeoutMs: { min: 1, max: MAX_TIMER_MS }, claimGraceMs: { min: 0 } });
  const { now, monotonic } = toClock(options.testing);
  const switches = new Switches({ name: config.name, now });
  const activity = new Activity(now);
  const counted = startTally(config, { now, monotonic });
  const changes = new Changes({ now, createId: randomUUID });
  const told = changes.watch(guardedObserver(options.observer ?? createObserver(config)));
  const observer = counted.tally.watch(activity.watch(switches.watch(told)));
  const stores = await openStores(config, observer);
  let isClosing = false;
  /** The configuration that counts at the moment. */
  let running = config;
  // All tables at once: a start that fails has changed none. The parts find theirs up to date.
  if (stores.mode === "shared") {
    const { pool } = stores;
    await orClose(
      () => stores.close(),
      () => migrate(pool, SCHEMA_PARTS),
    );
  }
  const bus = await orClose(
    () => stores.close(),
    () => createReplicaBus(stores, { observer }),
  );
  const events = await orClose(
    () => stores.close(),
    () => openEvents(stores, observer),
  );
  const controls = await orClose(
    async () => {
      events.changes.close();
      await stores.close();
    },
    () =>
      openControls(config, stores, {
        audit: events.audit,
        observer,
        log: options.sink ?? observer.sink,
        switches,
        bus,
        changes,
        counted,
        now,
        currentConfig: () => running,
      }),
  );
  let replicas: Replicas | undefined;
  const closeStores = async () => {
    bus.close();
    await controls.close();
    await replicas?.close();
    await stores.close();
    await observer.close();
  };
  const keys = await orClose(closeStores, () => openKeys(stores));
  const answers: AnswerOptions = {
    toldFailures: new ToldFailures(),
    observer,
    sink: controls.sink,
    admit: (facts) => controls.incidents.admit(facts),
    reports: new Set(),
    replica: replicaName(),
    now,
    monotonic,
    openSession: ({ caller, message }) => {
      if (caller === undefined) return undefined;
      const { capabilities, protocolVersion, clientInfo } = message?.params ?? {};
      const { id, session } = controls.sessions.open(caller, {
        capabilities,
        revision: agreeOnRevision(protocolVersion),
      });
      controls.sessionStates.begin(caller, session, cleanClient(clientInfo));
      return id;
    },
    isClosing: () => isClosing,
  };
  const shares = new Shares(config);
  const parts: GenerationParts = {
    stores,
    controls,
    keys,
    shares,
    observer,
    onNotification: (upstream, _method, message) =>
      runGuarded("notification", observer, () => current.catalog.onNotification(upstream, message)),
    now: monotonic,
    claimGraceMs: options.claimGraceMs,
  };
  let current = await orClose(closeStores, () => openGeneration(config, parts));
  const reloads = { taken: 0, refused: 0, takenMs: monotonic() };
  observer.attach?.({
    version: VERSION,
    upstreams: () => current.catalog.state,
    breakers: () => controls.breakers?.views,
    incidents: () => controls.incidents.state,
    approvals: async () => (await controls.approvals?.countPending()) ?? { count: 0, oldestMs: 0 },
    keys: () => controls.idempotency.counts,
    reloads: () => ({ ...reloads, ageMs: monotonic() - reloads.takenMs }),
  });
  const runner = new PipelineRunner({ current: () => current, observer, answers, now: monotonic });
  const pages: Pages = {
    name: () => current.config.name,
    checkSource: (head) => current.checkSource(head),
    health: () => ({ status: "ok", details: { name: current.config.name, version: VERSION, store: stores.mode } }),
    ready: () => {
      // Anybody may read it.
      const upstreams = current.catalog.state.map(({ upstream, listed, tools, shadowed }) => {
        return { upstream, listed, tools, shadowed };
      });
      const isReady = !isClosing && current.catalog.isTried;
      return { isReady, status: isClosing ? "draining" : isReady ? "ready" : "starting", details: { upstreams } };
    },
    metrics: () => observer.metrics(),
    metadata: () => protectedResourceMetadata(current.config),
  };
  const server = createListener({
    path: () => current.config.path,
    proxies: () => current.config.proxies,
    maxRequestBytes: () => current.config.maxRequestBytes,
    bodyTimeoutMs: options.bodyTimeoutMs,
    answerPreflight: (origin) => current.answerPreflight(origin),
    onCall: (origin) => runner.run(origin),
    observer,
    pages,
    showsState: config.telemetry.public !== false,
  });
  const closeAll = async () => {
    await current.retire();
    await closeStores();
  };
  await orClose(closeAll, () => {
    server.listen(config.listen.port, config.listen.host);
    return once(server, "listening");
  });
  // A connection that cannot be accepted, for example for want of file descriptors, must not end the process.
  server.on("error", (error) => observer.unexpected(error, "listener"));
  const { port } = server.address() as AddressInfo;
  const telemetry = await orClose(
    async () => {
      server.close();
      await closeAll();
    },
    () => startTelemetryListener(config.telemetry, { pages, observer }),
  );
  const closeStarted = async () => {
    server.close();
    await telemetry?.close();
    await closeAll();
  };
  const areLimitsAway = () => current.shared.limiter.part.isAway;
  const own = {
    key: bus.replica,
    id: replicaName(),
    version: VERSION,
    startedAt: activity.startedAt,
    // A replica that reads this state has reached the database.
    parts: () =>
      readPartStates({ controls, areLimitsAway, activity, database: stores.mode === "memory" ? "off" : "works" }),
  };
  replicas = openChanges(stores, { changes, events, observer, name: config.name, own, now });
  const admin = await orClose(closeStarted, () =>
    startAdmin({
      config: () => current.config,
      controls,
      keys,
      upstreams: () => current.catalog.state,
      findTool: (name) => current.catalog.findTool(name),
      toolNames: () => current.catalog.toolNames,
      areLimitsAway,
      changes,
      replicas,
      activity,
      observer,
      sink: answers.sink,
      version: VERSION,
      redis: stores.mode === "shared" ? stores.redis : undefined,
      consoleFolder: options.consoleFolder,
      now,
    }),
  );
  /** Each process takes over the same file, one after the other. */
  const recordConfig = (what: string, facts: Readonly<Record<string, unknown>>) =>
    changes.record({ kind: "config", what, target: "configuration", facts, mergeMs: CONFIG_MERGE_MS });
  const host = config.listen.host.includes(":") ? `[${config.listen.host}]` : config.listen.host;

  return {
    url: new URL(`http://${host}:${port}${config.path}`),
    adminUrl: admin?.url,
    consoleUrl: admin?.consoleUrl,
    telemetryUrl: telemetry?.url,
    async reload(next) {
      const before = current;
      const { config: taken, needsRestart } = keepFixed(next, config);
      try {
        current = openGeneration(taken, parts, before);
      } catch (error) {
        reloads.refused += 1;
        recordConfig("refused", { options: changedOptions(before.config, taken) });
        throw error;
      }
      running = taken;
      reloads.taken += 1;
      reloads.takenMs = monotonic();
      const changed = changedOptions(before.config, taken);
      const restart = needsRestart.length > 0 && { needsRestart };
      if (changed.length > 0 || restart) recordConfig("taken-over", { options: changed, ...restart });
      if (needsRestart.length > 0) observer.log("warn", "Some changes count only after a restart.", { needsRestart });
      // It ends by itself once the last of its calls has ended.
      inBackground("reload", observer, before.retire());
    },
    reloadRefused(names = []) {
      reloads.refused += 1;
      recordConfig("refused", {
        options: [...new Set(names.filter((name) => name !== ""))].slice(0, MAX_REFUSED_NAMES),
      });
    },
    async close() {
      if (isClosing) return;
      isClosing = true;
      current.quiet();
      await admin?.close();
      await closeGently(server, runner, current.config.drainMs);
      await Promise.allSettled(answers.reports);
      // Until here probes learn that the gateway drains, and Prometheus reads the last figures.
      await telemetry?.close();
      await closeAll();
    },
  };
}

/** The keys that all replicas share. */
async function openKeys(stores: Stores): Promise<KeyStore | undefined> {
  if (stores.mode === "memory") return undefined;
  await createKeyTable(stores.pool);
  return postgresKeys(stores.pool);
}

/** What is open already is closed if a part of the start fails. */
async function orClose<T>(close: () => Promise<void>, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await close();
    throw error;
  }
}

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Sink } from "@recourse/faults/server";
import { checkNumbers, MAX_TIMER_MS, type TestingOptions, toClock } from "@recourse/wire";
import { startAdmin } from "./admin/start-admin.ts";
import type { AnswerOptions } from "./answer/answer.ts";
import { ToldFailures } from "./answer/told-failures.ts";
import { protectedResourceMetadata } from "./auth/resource-metadata.ts";
import { inBackground, type Observer, runGuarded } from "./call/observer.ts";
import { agreeOnRevision, VERSION } from "./catalog/own-results.ts";
import { keepFixed } from "./config/fixed-options.ts";
import type { GatewayConfig } from "./config/types.ts";
import { openControls } from "./controls.ts";
import { closeGently, createListener } from "./edge/listener.ts";
import { type GenerationParts, openGeneration } from "./generation.ts";
import { Switches } from "./incidents/switches.ts";
import { Shares } from "./limits/shares.ts";
import { PipelineRunner } from "./pipeline/runner.ts";
import { createKeyTable, type KeyStore, postgresKeys } from "./stores/keys.ts";
import { openStores, type Stores } from "./stores/open-stores.ts";
import { createReplicaBus } from "./stores/replica-bus.ts";
import { Activity } from "./telemetry/activity.ts";
import { createObserver, guardedObserver } from "./telemetry/create-observer.ts";

/** A running gateway. */
export interface Gateway {
  /** The address of the MCP endpoint. */
  readonly url: URL;
  /** The address of the API for operators; undefined where there is none. */
  readonly adminUrl: URL | undefined;
  /**
   * Takes over a new configuration. Calls under way end by the old one. Options that can change only at a start keep their
   * values, and the log names them.
   */
  reload(config: GatewayConfig): Promise<void>;
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
}

/** Starts a gateway. It rejects where the address is taken, a store cannot be reached, or a number is out of its range. */
export async function startGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  checkNumbers("", options, { bodyTimeoutMs: { min: 1, max: MAX_TIMER_MS }, claimGraceMs: { min: 0 } });
  const { now, monotonic } = toClock(options.testing);
  const switches = new Switches({ name: config.name, now });
  const activity = new Activity(now);
  const observer = activity.watch(switches.watch(guardedObserver(options.observer ?? createObserver(config))));
  const stores = await openStores(config, observer);
  let isClosing = false;
  const bus = await orClose(
    () => stores.close(),
    () => createReplicaBus(stores, { observer }),
  );
  const controls = await orClose(
    () => stores.close(),
    () => openControls(config, stores, { observer, log: options.sink ?? observer.sink, switches, bus, now }),
  );
  const closeStores = async () => {
    bus.close();
    await controls.close();
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
    now,
    monotonic,
    openSession: ({ caller, message }) => {
      if (caller === undefined) return undefined;
      const { capabilities, protocolVersion } = message?.params ?? {};
      const { id, session } = controls.sessions.open(caller, {
        capabilities,
        revision: agreeOnRevision(protocolVersion),
      });
      controls.sessionStates.begin(caller, session);
      return id;
    },
    isClosing: () => isClosing,
  };
  const shares = new Shares(config);
  const parts: GenerationParts = {
    answers,
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
  const runner = new PipelineRunner({ current: () => current, observer, answers, now: monotonic });
  const server = createListener({
    path: () => current.config.path,
    proxies: () => current.config.proxies,
    maxRequestBytes: () => current.config.maxRequestBytes,
    bodyTimeoutMs: options.bodyTimeoutMs,
    answerPreflight: (origin) => current.answerPreflight(origin),
    onCall: (origin) => runner.run(origin),
    observer,
    pages: {
      name: () => current.config.name,
      checkSource: (head) => current.checkSource(head),
      health: () => ({ status: "ok", details: { name: current.config.name, version: VERSION, store: stores.mode } }),
      ready: () => {
        const upstreams = current.catalog.state;
        const isReady = !isClosing && current.catalog.isTried;
        return { isReady, status: isClosing ? "draining" : isReady ? "ready" : "starting", details: { upstreams } };
      },
      metrics: () => observer.metrics(),
      metadata: () => protectedResourceMetadata(current.config),
    },
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
  const admin = await orClose(
    async () => {
      server.close();
      await closeAll();
    },
    () =>
      startAdmin({
        config: () => current.config,
        controls,
        keys,
        upstreams: () => current.catalog.state,
        areLimitsAway: () => current.shared.limiter.part.isAway,
        activity,
        observer,
        sink: answers.sink,
        version: VERSION,
        now,
      }),
  );
  const host = config.listen.host.includes(":") ? `[${config.listen.host}]` : config.listen.host;

  return {
    url: new URL(`http://${host}:${port}${config.path}`),
    adminUrl: admin?.url,
    async reload(next) {
      const before = current;
      const { config: taken, needsRestart } = keepFixed(next, config);
      current = openGeneration(taken, parts, before);
      if (needsRestart.length > 0) observer.log("warn", "Some changes count only after a restart.", { needsRestart });
      // It ends by itself once the last of its calls has ended.
      inBackground("reload", observer, before.retire());
    },
    async close() {
      if (isClosing) return;
      isClosing = true;
      current.quiet();
      await admin?.close();
      await closeGently(server, runner, current.config.drainMs);
      await Promise.allSettled(answers.reports);
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

/** What is open already is closed where a part of the start fails. */
async function orClose<T>(close: () => Promise<void>, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await close();
    throw error;
  }
}

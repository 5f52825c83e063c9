import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { Sink } from "@recourse/faults/server";
import { startAdmin } from "./admin/start-admin.ts";
import { protectedResourceMetadata } from "./auth/resource-metadata.ts";
import { keepFixed } from "./config/fixed-options.ts";
import type { GatewayConfig } from "./config/types.ts";
import { openControls } from "./controls.ts";
import type { AnswerOptions } from "./edge/answer.ts";
import { CallRunner } from "./edge/call-runner.ts";
import { closeGently } from "./edge/drain.ts";
import { createListener } from "./edge/listener.ts";
import { type GenerationParts, openGeneration } from "./generation.ts";
import { Switches } from "./incidents/switches.ts";
import { Shares } from "./shares/shares.ts";
import { type KeyStore, postgresKeys } from "./stores/keys.ts";
import { createKeyTable } from "./stores/keys-table.ts";
import { openStores, type Stores } from "./stores/open-stores.ts";
import { createObserver } from "./telemetry/create-observer.ts";
import { guardedObserver } from "./telemetry/guarded-observer.ts";
import type { Observer } from "./telemetry/observer.ts";
import { guarded, inBackground } from "./telemetry/unexpected.ts";

const { version } = createRequire(import.meta.url)("@recourse/gateway/package.json") as { readonly version: string };

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
  /** Clock, in ms since 1970. @default `Date.now` */
  readonly now?: () => number;
  /** How long the body of a request may take. @default 30_000 */
  readonly bodyTimeoutMs?: number;
  /**
   * How long a keyed call may take to end and to be stored after its deadline. Only then do other replicas take its key for
   * one whose outcome is unknown. @default 5_000
   */
  readonly claimGraceMs?: number;
}

/** Starts a gateway. It rejects where the address is taken or a store cannot be reached. */
export async function startGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  const now = options.now ?? Date.now;
  const switches = new Switches({ name: config.name, now });
  const observer = switches.watch(guardedObserver(options.observer ?? createObserver(config)));
  const stores = await openStores(config, observer);
  const monotonic = () => performance.now();
  let isClosing = false;
  const controls = await orClose(
    () => stores.close(),
    () => openControls(config, stores, { observer, log: options.sink ?? observer.sink, switches, now }),
  );
  const closeStores = async () => {
    await controls.close();
    await stores.close();
    await observer.close();
  };
  const keys = await orClose(closeStores, () => openKeys(stores));
  const answers: AnswerOptions = {
    observer,
    sink: controls.sink,
    admit: (facts) => controls.incidents.admit(facts),
    reports: new Set(),
    now,
    monotonic,
    sessionId: randomUUID,
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
      guarded("notification", observer, () => current.catalog.heard(upstream, message)),
    version,
    now: monotonic,
    claimGraceMs: options.claimGraceMs,
  };
  let current = await orClose(closeStores, () => openGeneration(config, parts));
  const runner = new CallRunner({ current: () => current, observer, answers, now: monotonic });
  const server = createListener({
    path: () => current.config.path,
    proxies: () => current.config.proxies,
    maxRequestBytes: () => current.config.maxRequestBytes,
    bodyTimeoutMs: options.bodyTimeoutMs,
    onCall: (origin) => runner.run(origin),
    observer,
    pages: {
      name: () => current.config.name,
      checkSource: (head) => current.checkSource(head),
      health: () => ({ status: "ok", details: { name: current.config.name, version, store: stores.mode } }),
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
        observer,
        sink: answers.sink,
        version,
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

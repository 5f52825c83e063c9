import type { Fault } from "@recourse/faults";
import { createApprovalRules } from "./approvals/approval-rules.ts";
import { challenges } from "./auth/challenge.ts";
import { createAuthenticator, type OpenAuthenticator } from "./auth/create-authenticator.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { createCatalog } from "./catalog/create-catalog.ts";
import type { GatewayConfig } from "./config/types.ts";
import type { Controls } from "./controls.ts";
import { sourceCheck } from "./edge/source.ts";
import { createLimiter } from "./limits/create-limiter.ts";
import type { Limiter } from "./limits/limiter.ts";
import { pipeline } from "./pipeline/pipeline.ts";
import type { Step } from "./pipeline/step.ts";
import { SharedPart } from "./shared-part.ts";
import type { Shares } from "./shares/shares.ts";
import type { KeyStore } from "./stores/keys.ts";
import type { Stores } from "./stores/open-stores.ts";
import type { Observer } from "./telemetry/observer.ts";
import { createUpstream } from "./upstreams/create-upstream.ts";
import type { Upstream } from "./upstreams/upstream.ts";

/** What outlives a configuration. */
export interface GenerationParts {
  readonly stores: Stores;
  readonly controls: Controls;
  /** The keys that all replicas share; undefined where only those of the file count. */
  readonly keys: KeyStore | undefined;
  /** What the process holds for its callers. */
  readonly shares: Shares;
  readonly observer: Observer;
  /** Receives what an upstream says beside its answers. */
  readonly onNotification: (upstream: string, method: string, message: Buffer) => void;
  /** The version of the gateway. */
  readonly version: string;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  /** How long after the deadline of its call a claim of a key is late, in ms. @default 5_000 */
  readonly claimGraceMs?: number | undefined;
}

/** What a generation is made of. */
interface Made {
  readonly config: GatewayConfig;
  readonly steps: readonly Step[];
  readonly catalog: Catalog;
  readonly challenge: (fault: Fault) => string | undefined;
  readonly checkSource: ReturnType<typeof sourceCheck>;
  readonly shared: Taken;
}

/** The parts that generations pass on. */
interface Taken {
  readonly upstreams: readonly SharedPart<Upstream>[];
  readonly limiter: SharedPart<Limiter>;
  readonly authenticator: SharedPart<OpenAuthenticator>;
}

/** All that was made of one configuration. A call uses one of them from its beginning to its end. */
export class Generation {
  readonly config: GatewayConfig;
  readonly steps: readonly Step[];
  readonly catalog: Catalog;
  readonly challenge: (fault: Fault) => string | undefined;
  /** A fault where the `Host` or `Origin` of a request is not served. */
  readonly checkSource: ReturnType<typeof sourceCheck>;
  readonly shared: Taken;
  readonly #ended = Promise.withResolvers<void>();
  #calls = 0;
  #isRetired = false;

  constructor({ config, steps, catalog, challenge, checkSource, shared }: Made) {
    this.config = config;
    this.steps = steps;
    this.catalog = catalog;
    this.challenge = challenge;
    this.checkSource = checkSource;
    this.shared = shared;
  }

  /** A call begins. */
  enter(): void {
    this.#calls += 1;
  }

  /** A call has ended. */
  leave(): void {
    this.#calls -= 1;
    if (this.#isRetired && this.#calls === 0) this.#ended.resolve();
  }

  /** Ends what would never end by itself: streams of changes, and the reading of lists. Calls are still served. */
  quiet(): void {
    this.catalog.close();
  }

  /** Closes what no other generation uses, once the calls under way have ended. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    this.quiet();
    if (this.#calls > 0) await this.#ended.promise;
    const { upstreams, limiter, authenticator } = this.shared;
    await leaveAll([...upstreams, limiter, authenticator]);
  }
}

/**
 * Makes everything that a configuration asks for. What did not change is taken over from the generation before: connections,
 * processes and sessions of upstreams, how much of the limits is used up, and the keys that are known. It throws where an option cannot be meant so.
 */
export function openGeneration(config: GatewayConfig, parts: GenerationParts, before?: Generation): Generation {
  const { stores, controls, keys, shares, observer, onNotification, now, version, claimGraceMs } = parts;
  const { name, maxAnswerBytes, limits, away } = config;
  const client = { name, version };
  const taken: SharedPart<Upstream | Limiter | OpenAuthenticator>[] = [];
  try {
    const upstreams = config.upstreams.map((one) => {
      const upstream = SharedPart.take(before?.shared.upstreams ?? [], { one, client, maxAnswerBytes }, () =>
        createUpstream(one, { client, maxAnswerBytes, memory: shares.memory, stores, observer, onNotification }),
      );
      taken.push(upstream);
      return upstream;
    });
    const limiter = SharedPart.take(before === undefined ? [] : [before.shared.limiter], { limits, away }, () =>
      createLimiter(config, stores, observer),
    );
    taken.push(limiter);
    const { authentication, keys: fileKeys, keyCacheMs, jwt } = config;
    const authenticator = SharedPart.take(
      before === undefined ? [] : [before.shared.authenticator],
      { authentication, fileKeys, keyCacheMs, jwt },
      () => createAuthenticator(config, { keys }, observer),
    );
    taken.push(authenticator);
    const used = upstreams.map(({ part }) => part);
    const keepsKeys = controls.idempotency !== undefined && config.authentication === "required";
    const approvals = createApprovalRules(config.approvals);
    const catalog = createCatalog({
      config,
      approvals,
      upstreams: used,
      observer,
      keepsKeys,
      streams: shares.streams,
      before: before?.catalog,
    });
    const clientInfo = JSON.stringify(client);
    const steps = pipeline({
      config,
      authenticator: authenticator.part.authenticator,
      catalog,
      limiter: limiter.part,
      shares,
      breakers: controls.breakers,
      idempotency: controls.idempotency,
      approvals: controls.approvals,
      rounds: controls.rounds,
      observer,
      clientInfo,
      now,
      claimGraceMs,
    });
    const shared = { upstreams, limiter, authenticator };
    const challenge = challenges(config);
    return new Generation({ config, steps, catalog, challenge, checkSource: sourceCheck(config), shared });
  } catch (error) {
    void leaveAll(taken);
    throw error;
  }
}

async function leaveAll(shared: readonly SharedPart<Upstream | Limiter | OpenAuthenticator>[]): Promise<void> {
  await Promise.allSettled(shared.map((one) => one.leave()));
}

import { isDeepStrictEqual } from "node:util";
import type { Fault } from "@recourse/core";
import { createApprovalRules } from "./approvals/call-approvals.ts";
import { createAuthenticator, type OpenAuthenticator } from "./auth/authenticator.ts";
import { challenges } from "./auth/resource-metadata.ts";
import type { Observer } from "./call/observer.ts";
import type { Upstream } from "./call/upstream.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { createCatalog } from "./catalog/create-catalog.ts";
import { VERSION } from "./catalog/own-results.ts";
import type { GatewayConfig } from "./config/types.ts";
import type { Controls } from "./controls.ts";
import { createAddressLimit } from "./edge/address-limit.ts";
import { createPreflight, createSourceChecker } from "./edge/check-head.ts";
import { createLimiter, type Limiter } from "./limits/limiter.ts";
import type { Shares } from "./limits/shares.ts";
import { createPipeline, type StepsByMethod } from "./pipeline/pipeline.ts";
import type { KeyStore } from "./stores/keys.ts";
import type { Stores } from "./stores/open-stores.ts";
import { createTaskIds } from "./tasks/task-ids.ts";
import { createUpstream } from "./upstreams/create-upstream.ts";

/** What outlives a configuration. */
export interface GenerationParts {
  readonly stores: Stores;
  readonly controls: Controls;
  /** The keys that all replicas share; undefined if only those of the file count. */
  readonly keys: KeyStore | undefined;
  /** What the process holds for its callers. */
  readonly shares: Shares;
  readonly observer: Observer;
  /** Receives what an upstream says beside its answers. */
  readonly onNotification: (upstream: string, method: string, message: Buffer) => void;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  /** How long after the deadline of its call a claim of a key is late, in ms. @default 5_000 */
  readonly claimGraceMs?: number | undefined;
}

/** The parts that generations pass on. */
interface SharedParts {
  readonly upstreams: readonly SharedPart<Upstream>[];
  readonly limiter: SharedPart<Limiter>;
  readonly authenticator: SharedPart<OpenAuthenticator>;
}

/** All that was made of one configuration. A call uses one of them from its beginning to its end. */
interface Generation {
  readonly config: GatewayConfig;
  readonly steps: StepsByMethod;
  readonly catalog: Catalog;
  readonly challenge: (fault: Fault) => string | undefined;
  /** A fault if the `Host` or `Origin` of a request is not served. */
  readonly checkSource: ReturnType<typeof createSourceChecker>;
  /** Answers a browser that asks what a page may send; false if the page is not allowed. */
  readonly answerPreflight: ReturnType<typeof createPreflight>;
  readonly shared: SharedParts;
  /** A call begins. */
  enter(): void;
  /** A call has ended. */
  leave(): void;
  /** Ends what would never end by itself: streams of changes, and the reading of lists. Calls are still served. */
  quiet(): void;
  /** Closes what no other generation uses, once the calls under way have ended. */
  retire(): Promise<void>;
}

/**
 * Makes everything that a configuration asks for. What did not change is taken over from the generation before:
 * connections, processes and sessions of upstreams, how much of the limits is used up, and the keys that are known. It
 * throws if an option is not valid.
 */
export function openGeneration(config: GatewayConfig, parts: GenerationParts, before?: Generation): Generation {
  const { stores, controls, keys, shares, observer, onNotification, now, claimGraceMs } = parts;
  const { name, maxAnswerBytes, limits, away } = config;
  const client = { name, version: VERSION };
  const taken: SharedPart<Upstream | Limiter | OpenAuthenticator>[] = [];
  try {
    const upstreams = config.upstreams.map((one) => {
      const upstream = SharedPart.take(before?.shared.upstreams ?? [], { one, client, maxAnswerBytes }, () =>
        createUpstream(one, {
          client,
          maxAnswerBytes,
          memory: shares.memory,
          stores,
          observer,
          onNotification,
        }),
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
    const keepsKeys = config.authentication === "required";
    const approvals = createApprovalRules(config.approvals);
    const taskIds = createTaskIds(controls.secret);
    const catalog = createCatalog({
      config,
      taskIds,
      approvals,
      upstreams: used,
      observer,
      keepsKeys,
      streams: shares.streams,
      sessionStates: controls.sessionStates,
      openStreams: controls.streams,
      before: before?.catalog,
    });
    const challenge = challenges(config);
    const addresses = createAddressLimit(config, now);
    const steps = createPipeline({
      config,
      taskIds,
      addresses,
      authenticator: authenticator.part.authenticator,
      catalog,
      limiter: limiter.part,
      shares,
      controls,
      observer,
      forgetSession: (key) => {
        for (const upstream of used) upstream.forget?.(key);
      },
      clientInfo: JSON.stringify(client),
      now,
      claimGraceMs,
    });
    const ended = Promise.withResolvers<void>();
    let calls = 0;
    let isRetired = false;
    return {
      config,
      steps,
      catalog,
      challenge,
      checkSource: createSourceChecker(config),
      answerPreflight: createPreflight(config, addresses),
      shared: { upstreams, limiter, authenticator },
      enter() {
        calls += 1;
      },
      leave() {
        calls -= 1;
        if (isRetired && calls === 0) ended.resolve();
      },
      quiet: () => catalog.close(),
      async retire() {
        isRetired = true;
        catalog.close();
        if (calls > 0) await ended.promise;
        await leaveAll(taken);
      },
    };
  } catch (error) {
    void leaveAll(taken);
    throw error;
  }
}

async function leaveAll(shared: readonly SharedPart<Upstream | Limiter | OpenAuthenticator>[]): Promise<void> {
  await Promise.allSettled(shared.map((one) => one.leave()));
}

/** What ends when it is closed. */
interface Closable {
  close(): void | Promise<void>;
}

/** A part that configurations share as long as what it was made of stays the same. It is closed by its last user. */
class SharedPart<T extends Closable> {
  readonly part: T;
  readonly #madeOf: unknown;
  #users = 0;

  private constructor(part: T, madeOf: unknown) {
    this.part = part;
    this.#madeOf = madeOf;
  }

  /** The part of before that was made of the same, or a new one. */
  static take<T extends Closable>(before: readonly SharedPart<T>[], madeOf: unknown, make: () => T): SharedPart<T> {
    const same = before.find((shared) => shared.#users > 0 && isDeepStrictEqual(shared.#madeOf, madeOf));
    const shared = same ?? new SharedPart(make(), madeOf);
    shared.#users += 1;
    return shared;
  }

  /** One user less. */
  async leave(): Promise<void> {
    this.#users -= 1;
    if (this.#users === 0) await this.part.close();
  }
}

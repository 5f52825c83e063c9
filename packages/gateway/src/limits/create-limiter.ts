import type { Fault } from "@recourse/faults";
import { type LimitAnswer, type Limits, memoryLimits, type RedisClient, redisLimits } from "@recourse/stores/redis";
import type { GatewayConfig } from "../config/types.ts";
import type { Observer } from "../telemetry/observer.ts";
import { inBackground } from "../telemetry/unexpected.ts";
import { type Claims, claimsOf } from "./claims.ts";
import { limitFaults } from "./limit-faults.ts";
import type { Limiter } from "./limiter.ts";
import { RefusedMessages } from "./refused-messages.ts";

/** The stores of the gateway, as far as limits use them. */
export type LimiterStores =
  | { readonly mode: "memory" }
  /** A client or cluster without an offline queue. */
  | { readonly mode: "shared"; readonly redis: RedisClient };

/** Makes the limits of a gateway. What is wrong with the setup of the store is logged. */
export function createLimiter(
  config: Pick<GatewayConfig, "limits" | "away" | "name">,
  stores: LimiterStores,
  observer: Pick<Observer, "switched" | "log" | "unexpected">,
  { now = () => performance.now() }: { readonly now?: () => number } = {},
): Limiter {
  const { limits, away, name } = config;
  const claimed = claimsOf(config);
  const faults = limitFaults(name);
  const local = memoryLimits({ now });
  const store = storeOf();

  function storeOf(): Limits {
    if (stores.mode === "memory") return local;
    const onSwitch = (state: "away" | "back", cause: unknown) => {
      observer.switched("limits", state, away.limits);
      if (state === "away") observer.log("warn", "The store of the limits does not answer.", { cause: textOf(cause) });
    };
    return redisLimits({ client: withoutTimeouts(stores.redis), replica: name, mode: limits.mode, now, onSwitch });
  }

  /** The fault for an answer, or none where the call may go on. */
  const settle = (answer: LimitAnswer, claims: Claims): Fault | undefined | Promise<Fault | undefined> => {
    if (answer.ok) return undefined;
    if (!answer.away) return faults.refused(answer);
    switch (away.limits) {
      case "closed":
        return faults.away();
      case "open":
        return undefined;
      case "local": {
        const ours = local.take(claims.local);
        return ours instanceof Promise ? ours.then((one) => settleLocally(one)) : settleLocally(ours);
      }
      default:
        return away.limits satisfies never;
    }
  };
  const settleLocally = (answer: LimitAnswer): Fault | undefined => {
    if (answer.ok) return undefined;
    return answer.away ? faults.away() : faults.refused(answer);
  };

  const checked = store.check().then((warnings) => {
    for (const warning of warnings) observer.log("warn", warning);
  });
  inBackground("check of the limits", observer, checked);
  return {
    take(call) {
      const claims = claimed.call(call);
      if (claims === undefined) return undefined;
      const answer = store.take(claims.shared);
      return answer instanceof Promise ? answer.then((one) => settle(one, claims)) : settle(answer, claims);
    },
    refusedMessages: new RefusedMessages({
      take(caller, bytes) {
        const claims = claimed.refused(caller, bytes);
        return claims && store.take(claims.shared);
      },
      refused: faults.refused,
      now,
    }),
    get isAway() {
      return store.isAway;
    },
    close: () => store.close(),
  };
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * The limits end late commands themselves, with one timer for all of them. The time-out of the client would make a timer and an
 * error for every command, also for those that were answered long before.
 */
function withoutTimeouts(client: RedisClient & Partial<HasCommandOptions>): RedisClient {
  return client.withCommandOptions?.({ timeout: undefined }) ?? client;
}

/** Clients and clusters of `@redis/client` can be seen with other options. */
interface HasCommandOptions {
  withCommandOptions(options: { readonly timeout: undefined }): RedisClient;
}

import { randomUUID } from "node:crypto";
import { toBreakerRules } from "@recourse/faults/internal-do-not-use";
import type { GatewayConfig } from "../config/types.ts";
import type { Stores } from "../stores/open-stores.ts";
import type { Observer } from "../telemetry/observer.ts";
import { BREAKER_CHANNEL, BreakerServer } from "./breaker-server.ts";
import { BreakerSet } from "./breaker-set.ts";
import type { BreakerScope, Breakers } from "./breakers.ts";

/** The stores of the gateway, as far as breakers use them. */
type BreakerStores = { readonly mode: "memory" } | Pick<Extract<Stores, { mode: "shared" }>, "mode" | "redis">;

/** Opens the circuit breakers of a configuration; undefined where they are off. */
export function openBreakers(
  { breaker, upstreams }: Pick<GatewayConfig, "breaker" | "upstreams">,
  stores: BreakerStores,
  observer: Pick<Observer, "switched" | "breaker">,
  onTrip: (scope: BreakerScope) => void,
): Breakers | undefined {
  if (breaker === undefined) return undefined;
  const { failures, pauseMs, maxPauseMs } = breaker;
  const rules = toBreakerRules({ failures, pauseMs, capMs: maxPauseMs });
  const server =
    stores.mode === "memory"
      ? undefined
      : new BreakerServer({
          redis: stores.redis,
          rules,
          random: Math.random,
          onSwitch(state) {
            observer.switched("breakers", state, "each process counts for itself");
            if (state === "away") set.leave();
            else set.rejoin();
          },
        });
  const set = new BreakerSet({
    rules,
    server,
    upstreams: upstreams.map(({ name }) => name),
    now: () => performance.now(),
    random: Math.random,
    newToken: randomUUID,
    onChange: (scope, state) => observer.breaker(scope, state),
    onTrip,
  });
  if (stores.mode === "shared") stores.redis.listen(BREAKER_CHANNEL, (id) => set.changed(id));
  return set;
}

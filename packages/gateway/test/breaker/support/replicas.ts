import { type BreakerSignal, toBreakerRules } from "@recourse/faults/retry";
import { connectRedis } from "@recourse/test-kit/redis";
// Breakers of several replicas on one Redis, without a gateway around them.
import { onTestFinished } from "vitest";
import { BREAKER_CHANNEL, BreakerServer } from "../../../src/breaker/breaker-server.ts";
import { BreakerSet } from "../../../src/breaker/breaker-set.ts";
import type { BreakerFlip, BreakerGo } from "../../../src/breaker/breakers.ts";
import { openRedis } from "../../../src/stores/redis.ts";

export interface TestReplicaOptions {
  readonly url: string;
  readonly cluster?: boolean;
  readonly failures?: number;
  readonly pauseMs?: number;
  /** Whether messages of other replicas arrive. @default true */
  readonly hears?: boolean;
}

let tokens = 0;

/** One replica, with what was said about it. */
export async function testReplica(options: TestReplicaOptions) {
  const { url, cluster = false, failures = 5, pauseMs = 200, hears = true } = options;
  const opened = await openRedis({ urls: [url], cluster, onError: () => {} });
  const said: string[] = [];
  const flips: BreakerFlip[] = [];
  const rules = toBreakerRules({ failures, pauseMs, maxPauseMs: 1_000 });
  const server = new BreakerServer({
    redis: opened.redis,
    rules,
    random: Math.random,
    // A busy machine is not an outage.
    timeoutMs: 5_000,
    onSwitch(state) {
      said.push(state);
      if (state === "away") breakers.leave();
      else breakers.rejoin();
    },
  });
  const breakers: BreakerSet = new BreakerSet({
    rules,
    server,
    upstreams: [],
    now: () => performance.now(),
    random: Math.random,
    newToken: () => `probe-${++tokens}`,
    // Messages that come before a replica listens are lost, so it has to look soon.
    tickMs: 50,
    onChange: (_, state) => said.push(state),
    onFlip: (flip) => flips.push(flip),
  });
  if (hears) void opened.redis.listen(BREAKER_CHANNEL, (upstream) => breakers.changed(upstream));
  onTestFinished(() => {
    breakers.close();
    opened.close();
  });
  return {
    breakers,
    said,
    flips,
    stateOf: (name: string) => breakers.views.find(({ upstream }) => upstream === name)?.state,
    ask: async (name: string, timeoutMs = 60_000) => breakers.ask({ upstream: name }, timeoutMs),
    /** Makes a call that is let through, and tells what came of it. */
    async call(name: string, signal: BreakerSignal) {
      const answer = await breakers.ask({ upstream: name }, 60_000);
      if (answer.go) breakers.tell({ upstream: name }, answer.pass, signal);
      return answer;
    },
    /** Waits until a call of this replica is the probe. */
    async probe(name: string, timeoutMs = 60_000): Promise<BreakerGo> {
      for (;;) {
        const answer = await breakers.ask({ upstream: name }, timeoutMs);
        if (answer.go && answer.pass.probe !== undefined) return answer;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

/** A plain connection, to look at the keys. */
export async function keysAt(url: string) {
  const client = await connectRedis(url);
  onTestFinished(() => client.destroy());
  return client;
}

// Breakers of several replicas on one Redis, without a gateway around them.
import { type BreakerSignal, toBreakerRules } from "@recourse/core/retry";
import { connectRedis } from "@recourse/test-kit/redis";
import { onTestFinished } from "vitest";
import { BREAKER_CHANNEL, BreakerServer } from "../../../src/breaker/breaker-server.ts";
import { BreakerSet } from "../../../src/breaker/breaker-set.ts";
import type { BreakerFlip, BreakerGo } from "../../../src/breaker/breakers.ts";
import { openRedis, type Redis } from "../../../src/stores/redis.ts";

export interface TestReplicaOptions {
  readonly url: string;
  readonly cluster?: boolean;
  readonly failures?: number;
  readonly pauseMs?: number;
  /** Whether messages of other replicas arrive. @default true */
  readonly hears?: boolean;
}

/** Longer than any test. */
const HOUR_MS = 3_600_000;

let tokens = 0;

/** Redis, and the commands that it has not answered yet. */
function countAsked(redis: Redis) {
  const asked = new Set<Promise<unknown>>();
  const track = (answer: Promise<unknown>) => {
    asked.add(answer);
    const forget = () => void asked.delete(answer);
    answer.then(forget, forget);
    return answer;
  };
  const counted: Pick<Redis, "eval" | "evalSha"> = {
    eval: (script, options) => track(redis.eval(script, options)),
    evalSha: (sha1, options) => track(redis.evalSha(sha1, options)),
  };
  return { asked, counted };
}

/** One replica, with what was said about it. */
export async function testReplica(options: TestReplicaOptions) {
  const { url, cluster = false, failures = 5, pauseMs = 200, hears = true } = options;
  const opened = await openRedis({ urls: [url], cluster, onError: () => {} });
  const { asked, counted } = countAsked(opened.redis);
  const said: string[] = [];
  const flips: BreakerFlip[] = [];
  const rules = toBreakerRules({ failures, pauseMs, maxPauseMs: 1_000 });
  const server = new BreakerServer({
    redis: counted,
    rules,
    random: Math.random,
    // A busy machine is not an outage.
    timeoutMs: HOUR_MS / 6,
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
    restOf: (name: string) => breakers.views.find(({ upstream }) => upstream === name)?.afterMs,
    /** Waits until Redis has answered everything. */
    async answered() {
      do {
        await Promise.allSettled(asked);
        await new Promise(setImmediate);
      } while (asked.size > 0);
    },
    ask: async (name: string, timeoutMs = HOUR_MS) => breakers.ask({ upstream: name }, timeoutMs),
    /** Makes a call that is let through, and tells what came of it. */
    async call(name: string, signal: BreakerSignal) {
      const answer = await breakers.ask({ upstream: name }, HOUR_MS);
      if (answer.go) breakers.tell({ upstream: name }, answer.pass, signal);
      return answer;
    },
    /** Waits until a call of this replica is the probe. */
    async probe(name: string, timeoutMs = HOUR_MS): Promise<BreakerGo> {
      for (;;) {
        const answer = await breakers.ask({ upstream: name }, timeoutMs);
        if (answer.go && answer.pass.probe !== undefined) return answer;
        // The pause between two attempts.
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

import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { type LimitBucket, type RedisClient, redisLimits } from "../../src/redis/index.ts";
import { hostClock } from "./support/host-clock.ts";
import { startRedisCluster } from "./support/redis-cluster.ts";
import { overAdmissions, type Spend } from "./support/token-bucket.ts";

const PER_SECOND = 200;
const BURST = 40;

it("admits no call too many while the slot of its buckets moves to another node", async () => {
  const cluster = await startRedisCluster();
  onTestFinished(() => cluster.close());
  const clock = hostClock();
  const buckets = [1, 2, 3, 4].map((name): LimitBucket => {
    return { id: `b${name}`, group: "acme", perSecond: PER_SECOND, burst: BURST };
  });
  const spends = new Map<LimitBucket, Spend[]>(buckets.map((bucket) => [bucket, []]));
  const counts = { passed: 0, refused: 0, tryAgain: 0, together: 0 };
  /** The longest that a call took which was answered from memory, so that its time is known no better. */
  let longestUs = 0;
  const ended = new AbortController();
  const replica = async () => {
    const client = await cluster.connect();
    onTestFinished(() => client.destroy());
    const watched: RedisClient = {
      eval: (script, options) => client.eval(script, options),
      evalSha: (sha1, options) =>
        client.evalSha(sha1, options).catch((thrown: unknown) => {
          if (String(thrown).includes("TRYAGAIN")) counts.tryAgain += 1;
          throw thrown;
        }),
    };
    const limits = redisLimits({ client: watched, timeoutMs: 60_000 });
    const exact = redisLimits({ client: watched, timeoutMs: 60_000, mode: "exact" });
    const caller = async (bucket: LimitBucket) => {
      while (!ended.signal.aborted) {
        const beforeUs = clock.nowUs();
        const answer = await limits.take([{ bucket, cost: 1 }]);
        const afterUs = clock.nowUs();
        if (answer.ok) {
          counts.passed += 1;
          if (answer.takenAtUs === undefined) longestUs = Math.max(longestUs, afterUs - beforeUs);
          spends.get(bucket)?.push({ atUs: answer.takenAtUs ?? afterUs, tokens: 1 });
        } else if (!answer.away) counts.refused += 1;
        // More than the limit lets through.
        await sleep(5);
      }
    };
    // Calls that need several buckets at once, which may be on two nodes for a moment. They are not made.
    const both = async () => {
      while (!ended.signal.aborted) {
        const answer = await exact.take(buckets.slice(2).map((bucket) => ({ bucket, cost: 1 })));
        if (answer.ok) answer.giveBack();
        if (answer.ok) counts.together += 1;
        // Often enough to meet a move.
        await sleep(3);
      }
    };
    await Promise.all([...buckets.slice(0, 2).map(caller), both()]);
    await Promise.all([limits.close(), exact.close()]);
  };
  const running = Promise.all([replica(), replica(), replica()]);
  const goesOn = async () => {
    const { passed, together } = { ...counts };
    await expect.poll(() => counts.passed).toBeGreaterThan(passed + 100);
    await expect.poll(() => counts.together).toBeGreaterThan(together);
  };
  await goesOn();
  for (let move = 0; move < 3 || counts.tryAgain === 0; move++) {
    const [from, to] = await cluster.moveSlotOf("recourse:limits:{acme}:b1", 8);
    expect(to).not.toBe(from);
    // Calls wait while their buckets are half moved, and no longer.
    await goesOn();
  }
  ended.abort();
  await running;
  const clockErrorUs = 100 + longestUs;
  const over = [...spends.values()].map((all) =>
    overAdmissions(all, { perSecond: PER_SECOND, burst: BURST, clockErrorUs }),
  );
  expect(over).toEqual([0, 0, 0, 0]);
  expect(counts.refused).toBeGreaterThan(0);
});

import { connectRedis, createRedisServer } from "@recourse/test-kit/redis";
import { memoryLimits, redisLimits } from "../../packages/stores/src/redis/index.ts";

/** CPU time of this process for one decision, in µs: the fastest tenth of the rounds, and the median. */
export interface Cost {
  readonly name: string;
  readonly fast: number;
  readonly median: number;
}

/** Measures decisions from memory, and decisions that ask Redis. */
export async function costsOf({ rounds }: { readonly rounds: number }): Promise<readonly Cost[]> {
  const server = await createRedisServer({ durable: false });
  const client = await connectRedis(server.url);
  const now = String(Date.now() * 1_000);
  const claims = ["key", "tenant", "cost"].map((id) => {
    return { bucket: { id, group: "acme", perSecond: 1e9, burst: 1e9 }, cost: 1 };
  });
  for (const { bucket } of claims) {
    await client.hSet(`recourse:limits:{acme}:${bucket.id}`, { l: "1000000000", t: now, r: now });
  }
  const one = claims.slice(0, 1);
  const memory = memoryLimits();
  const leased = redisLimits({ client, timeoutMs: 5_000 });
  const exact = redisLimits({ client, timeoutMs: 5_000, mode: "exact" });
  const inTurn = async (limits: typeof memory, wanted: typeof claims, count: number) => {
    for (let index = 0; index < count; index++) {
      const answer = limits.take(wanted);
      if (answer instanceof Promise) await answer;
    }
  };
  const atOnce = async (wanted: typeof claims, count: number) => {
    for (let index = 0; index < count; index += 16) {
      await Promise.all(Array.from({ length: 16 }, () => exact.take(wanted)));
    }
  };
  const tasks = [
    { name: "in memory, one bucket", count: 20_000, run: (count: number) => inTurn(memory, one, count) },
    { name: "leased, one bucket", count: 20_000, run: (count: number) => inTurn(leased, one, count) },
    { name: "leased, three buckets", count: 20_000, run: (count: number) => inTurn(leased, claims, count) },
    { name: "exact, one bucket", count: 1_600, run: (count: number) => atOnce(one, count) },
    { name: "exact, three buckets", count: 1_600, run: (count: number) => atOnce(claims, count) },
  ];
  const times = new Map(tasks.map(({ name }) => [name, [] as number[]]));
  for (let round = -2; round < rounds; round++) {
    for (const { name, count, run } of tasks) {
      const before = process.cpuUsage();
      await run(count);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times.get(name)?.push((user + system) / count);
    }
  }
  await Promise.all([leased.close(), exact.close()]);
  client.destroy();
  await server.close();
  return [...times].map(([name, all]) => {
    all.sort((a, b) => a - b);
    return { name, fast: all[Math.floor(all.length / 10)] ?? 0, median: all[all.length >> 1] ?? 0 };
  });
}

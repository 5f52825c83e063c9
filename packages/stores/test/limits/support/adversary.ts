// Processes that use every freedom the protocol leaves them, at random: they sit on tokens, spend them at the last moment,
// hand them back, drain the bucket, crash. What they spend is checked against a token bucket afterwards.
import { setTimeout as realSleep } from "node:timers/promises";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { type RedisClient, redisScript } from "../../../src/redis/client.ts";
import { LIMIT_SCRIPTS } from "../../../src/redis/limits/scripts.ts";
import type { hostClock } from "./host-clock.ts";
import { overAdmissions, type Spend } from "./token-bucket.ts";

/** Time as the processes see it. */
export interface AdversaryTime {
  /** In ms; it never goes back. */
  now(): number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** Options of `runAdversary`. */
export interface AdversaryOptions {
  readonly client: RedisClient;
  readonly seed: number;
  readonly seconds: number;
  /** @default real time */
  readonly time?: AdversaryTime;
  /** The clock that tells when tokens are spent. @default the server's, so that they are spent up to the last µs */
  readonly clock?: Pick<ReturnType<typeof hostClock>, "usAt">;
  /** The script that takes tokens. @default the one of the package */
  readonly script?: string;
  /** The script that gives tokens back. @default the one of the package */
  readonly giveBackScript?: string;
  /** Stops early. */
  readonly signal?: AbortSignal;
}

/** What happened. */
export interface AdversaryReport {
  readonly requests: number;
  readonly spent: number;
  readonly over: number;
  /** Tokens given back, on record or not. */
  readonly returned: number;
  readonly crashes: number;
}

interface Bucket {
  readonly key: string;
  readonly perSecond: number;
  readonly burst: number;
  readonly spends: Spend[];
  /** The others leave it alone until then, so that it can grow while tokens are out. */
  quietUntilMs: number;
}

const REAL_TIME: AdversaryTime = { now: () => performance.now(), sleep: realSleep };
const TTL_MS = 200;
const REPLICAS = 6;
const LIMITS = [
  [10, 3],
  [20, 10],
  [100, 20],
  [100, 60],
  [400, 40],
  [1_000, 300],
] as const;

type Move =
  | ("lease" | "exact" | "drain" | "regret" | "lastMomentAndDrain" | "lateHandBack" | "regretLate")
  | ("spendSome" | "spendAll" | "lastMoment" | "handBack" | "sit" | "long" | "crash");

const SPEND = `
local time = redis.call('TIME')
local now = time[1] * 1e6 + time[2]
return now < tonumber(ARGV[1]) and now or 0`;

/** Lets the processes loose on some buckets. */
export async function runAdversary(options: AdversaryOptions): Promise<AdversaryReport> {
  const { client, seed, seconds, clock, signal, time = REAL_TIME } = options;
  const { now } = time;
  const random = seededRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const take = redisScript(client, options.script ?? LIMIT_SCRIPTS.take);
  const giveBack = redisScript(client, options.giveBackScript ?? LIMIT_SCRIPTS.giveBack);
  const spendByServer = redisScript(client, SPEND);
  const buckets = LIMITS.map(([perSecond, burst], index): Bucket => {
    return { key: `adversary:${seed}:{b}${index}`, perSecond, burst, spends: [], quietUntilMs: 0 };
  });
  const end = now() + seconds * 1_000;
  const counts = { requests: 0, returned: 0, crashes: 0 };
  let names = 0;

  const replica = async (bucket: Bucket) => {
    let name = `r${names++}`;
    let number = 0;
    let held = 0;
    /** By the server's clock, and by ours. */
    let tillUs = 0;
    let tillMs = 0;
    const ask = async (need: number, want: number, keep: number, give: number) => {
      counts.requests += 1;
      const askedAt = now();
      const args = [name, ++number, TTL_MS, bucket.perSecond, bucket.burst, need, want, keep, give].map(String);
      const reply = (await take([bucket.key], args)) as number[];
      const [given = 0, atUs = 0, leased = 0, waitMs = 0, existed = 0, returned = 0] = reply;
      return { given, atUs, leased, waitMs, existed, returned, askedAt };
    };
    const spend = async (tokens: number) => {
      if (tokens === 0) return;
      held -= tokens;
      const atMs = now();
      const atUs =
        clock === undefined
          ? Number(await spendByServer([bucket.key], [String(tillUs)]))
          : atMs < tillMs
            ? clock.usAt(atMs)
            : 0;
      if (atUs > 0) bucket.spends.push({ atUs, tokens });
    };
    const quietly = async (ms: number, work: () => Promise<void>) => {
      // It begins full, or nearly so.
      const fillMs = Math.min(400, (1_000 * bucket.burst) / bucket.perSecond);
      bucket.quietUntilMs = now() + fillMs + ms;
      await time.sleep(fillMs);
      held = 0;
      await work();
      bucket.quietUntilMs = 0;
    };
    const takeBriefly = async (need: number) => {
      const { given, atUs, existed, returned } = await ask(need, 0, -1, 0);
      let isOut = given === 1;
      return async () => {
        if (!isOut) return;
        isOut = false;
        counts.returned += need;
        await giveBack([bucket.key], [atUs, bucket.perSecond, bucket.burst, need, existed, returned].map(String));
      };
    };
    const moves: Record<Move, () => Promise<unknown>> = {
      lease: async () => {
        const give = below(3) === 0 ? below(held + 1) : 0;
        const need = below(2);
        held -= give;
        const { given, atUs, leased, askedAt } = await ask(need, 1 + below(bucket.burst), held, give);
        held += leased;
        tillUs = atUs + TTL_MS * 1_000;
        tillMs = askedAt + TTL_MS - 5;
        if (given === 1 && need > 0) bucket.spends.push({ atUs, tokens: need });
        counts.returned += give;
      },
      exact: async () => {
        const need = 1 + (below(4) === 0 ? below(bucket.burst) : 0);
        const { given, atUs } = await ask(need, 0, -1, 0);
        if (given === 1) bucket.spends.push({ atUs, tokens: need });
      },
      drain: async () => {
        // In halves, since a slow drain lets the bucket grow.
        for (let tokens = bucket.burst; tokens >= 1; ) {
          const { given, atUs } = await ask(tokens, 0, -1, 0);
          if (given === 1) bucket.spends.push({ atUs, tokens });
          else tokens = Math.floor(tokens / 2);
        }
      },
      regret: async () => {
        const undo = await takeBriefly(1 + below(bucket.burst));
        await time.sleep(below(4) === 0 ? below(150) : 0);
        await undo();
      },
      // The bucket grows while tokens are out; then all of them are used at once.
      lastMomentAndDrain: async () => {
        await quietly(TTL_MS + 50, async () => {
          await moves.lease();
          await moves.lastMoment();
          // By now they are no longer on record.
          await time.sleep(Math.max(0, tillMs - now() + 6));
          await moves.drain();
        });
      },
      lateHandBack: async () => {
        await quietly(TTL_MS + 200, async () => {
          await moves.lease();
          await time.sleep(Math.max(0, tillMs - now() + 8 + below(100)));
          await moves.handBack();
          await moves.drain();
        });
      },
      regretLate: async () => {
        const first = 1 + below(bucket.burst / 3);
        const ms = Math.min(300, (1_000 * 2 * first) / bucket.perSecond);
        await quietly(ms + 50, async () => {
          const undoFirst = await takeBriefly(first);
          const undoSecond = await takeBriefly(first);
          if (below(2) === 0) await undoFirst();
          await time.sleep(random() * ms);
          await moves.drain();
          await undoFirst();
          await undoSecond();
          await moves.drain();
        });
      },
      spendSome: () => spend(below(held + 1)),
      spendAll: () => spend(held),
      lastMoment: async () => {
        const leftMs = tillMs - now();
        await time.sleep(Math.max(0, leftMs - 2 + (clock === undefined ? random() * 8 : 0)));
        await spend(held);
      },
      handBack: async () => {
        const give = held;
        held = 0;
        await ask(0, 0, 0, give);
        counts.returned += give;
      },
      sit: () => time.sleep(below(60)),
      long: () => time.sleep(below(400)),
      crash: async () => {
        name = `r${names++}`;
        number = 0;
        held = 0;
        counts.crashes += 1;
      },
    };
    const deck: readonly Move[] = [
      ...(["lease", "lease", "lease", "lease", "exact", "exact", "drain", "regret", "regret"] as const),
      ...([
        "spendSome",
        "spendSome",
        "spendAll",
        "lastMoment",
        "lastMoment",
        "handBack",
        "sit",
        "sit",
        "long",
      ] as const),
      ...(["crash", "lastMomentAndDrain", "lateHandBack", "regretLate"] as const),
    ];
    while (now() < end && signal?.aborted !== true) {
      // Tokens of a lease that has ended are gone.
      if (now() >= tillMs + 30) held = 0;
      if (now() < bucket.quietUntilMs) {
        await time.sleep(5);
        continue;
      }
      try {
        await moves[deck[below(deck.length)] ?? "sit"]();
      } catch {
        // The server is away; what is held stays.
        await time.sleep(10);
      }
    }
  };
  await Promise.all(buckets.flatMap((bucket) => Array.from({ length: REPLICAS }, () => replica(bucket))));
  const clockErrorUs = clock === undefined ? 0 : 100;
  return {
    ...counts,
    spent: buckets.reduce((sum, { spends }) => sum + spends.reduce((all, { tokens }) => all + tokens, 0), 0),
    over: buckets.reduce((sum, { spends, ...limit }) => sum + overAdmissions(spends, { ...limit, clockErrorUs }), 0),
  };
}

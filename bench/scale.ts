// The figures of the engines that docs/scale.md is computed from:
//   node --conditions=@recourse/source bench/scale.ts [--seconds 5]
// CPU is that of Redis and PostgreSQL alone, so it counts also where others keep the machine busy. Linux only.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createCluster } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { createClient } from "@redis/client";
import pg from "pg";
import { createSchema, postgresIdempotency } from "../packages/stores/src/postgres/index.ts";
import { redisLimits } from "../packages/stores/src/redis/index.ts";
import { openBenchIncidents, pushAtRate } from "./incidents/push.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "5" } } });
const seconds = Number(values.seconds);
const AT_ONCE = 16;
const TENANTS = 200;
/** Ticks of the kernel's clock in a second. */
const TICKS = 100;

await measureRedis();
await measureKeys();
await measureIncidents();

/** Runs work over and over, some at once, and gives how often it ran. */
async function repeat(work: (count: number) => Promise<unknown>): Promise<number> {
  const endMs = performance.now() + seconds * 1_000;
  let count = 0;
  const worker = async () => {
    while (performance.now() < endMs) await work(count++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return count;
}

async function measureRedis(): Promise<void> {
  const server = await createRedisServer({ durable: false });
  const client = await createClient({ url: server.url }).connect();
  const limits = redisLimits({ client: client as never, replica: "bench", mode: "exact" });
  const info = async (section: string, name: string) =>
    Number(new RegExp(`${name}:([\\d.]+)`).exec(await client.info(section))?.[1]);
  const cpu = async () => (await info("cpu", "used_cpu_user")) + (await info("cpu", "used_cpu_sys"));
  const before = await cpu();
  const asked = await info("stats", "total_commands_processed");
  const rate = { perSecond: 1_000_000, burst: 1_000_000 };
  const takes = await repeat(async (count) => {
    const tenant = count % TENANTS;
    const claim = (id: string, group: string) => ({ bucket: { id, group, ...rate }, cost: 1 });
    // As a call of the gateway: key and tenant in one group, the tool in another.
    await limits.take([
      claim(`key ${tenant}`, `tenant ${tenant}`),
      claim(`tenant ${tenant}`, `tenant ${tenant}`),
      claim("tool", "tool"),
    ]);
  });
  const perCall = ((await cpu()) - before) / takes;
  const scripts = ((await info("stats", "total_commands_processed")) - asked) / takes;
  const keys = await client.keys("*");
  const sizes = await Promise.all(keys.slice(0, 100).map((key) => client.memoryUsage(key)));
  const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) / sizes.length;
  console.log(`Redis, exact limits: ${Math.round(takes / seconds)} calls/s, ${us(perCall)} of CPU for a call`);
  console.log(`  commands for a call, those inside of scripts included: ${scripts.toFixed(1)}`);
  console.log(`  a bucket takes ${Math.round(bytes)} bytes`);
  await limits.close();
  client.destroy();
  await server.close();
}

async function measureKeys(): Promise<void> {
  const cluster = await createCluster({ settings: ["fsync=on"] });
  const pool = new pg.Pool({ connectionString: cluster.url, max: AT_ONCE });
  await createSchema(pool);
  const store = postgresIdempotency({ pool, maxKeysPerCaller: Number.POSITIVE_INFINITY });
  const before = await cpuOf(cluster.port);
  const owner = "00".repeat(32);
  const keys = await repeat(async (count) => {
    const key = count.toString(16).padStart(64, "0");
    const state = await store.begin(key, owner, { owner, deadlineMs: 30_000, honoured: false });
    if (state.state !== "new") throw new Error(`a new key is ${state.state}`);
    await store.settle(key, state.fence, '{"result":{"content":[]}}');
  });
  const perCall = ((await cpuOf(cluster.port)) - before) / keys;
  console.log(`PostgreSQL, calls with a key: ${Math.round(keys / seconds)} calls/s, ${us(perCall)} of CPU for a call`);
  await store.close();
  await pool.end();
  await cluster.close();
}

async function measureIncidents(): Promise<void> {
  const cluster = await createCluster({ settings: ["fsync=on"] });
  const incidents = await openBenchIncidents(cluster.url);
  const before = await cpuOf(cluster.port);
  const flow = pushAtRate(incidents, { rate: 2_000, tenant: "bench" });
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const pushed = flow.stop();
  while (incidents.state.waiting > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const perRow = ((await cpuOf(cluster.port)) - before) / pushed;
  console.log(`PostgreSQL, incidents: ${Math.round(pushed / seconds)}/s, ${us(perRow)} of CPU for one`);
  await incidents.end();
  await cluster.close();
}

/** Seconds of CPU of a server and of its connections, those that have ended included. */
async function cpuOf(port: number): Promise<number> {
  const client = new pg.Client({ host: "127.0.0.1", port, user: "postgres", database: "postgres" });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pid from pg_stat_activity");
  const { rows: own } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const parent = fieldsOf(own[0]?.pid ?? 0).parent;
  await client.end();
  const all = [parent, ...rows.map(({ pid }) => pid)].map(fieldsOf);
  return all.reduce((sum, { ticks }, at) => sum + ticks + (at === 0 ? (all[0]?.endedTicks ?? 0) : 0), 0) / TICKS;
}

/** The parent of a process, and its CPU in ticks; that of its children counts once they have ended. */
function fieldsOf(pid: number): { readonly parent: number; readonly ticks: number; readonly endedTicks: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const at = (index: number) => Number(fields[index]);
    return { parent: at(1), ticks: at(11) + at(12), endedTicks: at(13) + at(14) };
  } catch {
    // It has ended meanwhile.
    return { parent: 0, ticks: 0, endedTicks: 0 };
  }
}

function us(cpuSeconds: number): string {
  return `${(cpuSeconds * 1e6).toFixed(1)} µs`;
}

// What Redis and PostgreSQL need for the work of the gateway. CPU is that of the engines alone, so it counts also while others
// keep the machine busy. Linux only.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createCluster } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { createClient } from "@redis/client";
import pg from "pg";
import { createSchema, postgresIdempotency } from "../../packages/stores/src/postgres/index.ts";
import { type LimitClaim, type Limits, redisLimits } from "../../packages/stores/src/redis/index.ts";
import { openBenchIncidents, pushAtRate } from "../incidents/push.ts";

const AT_ONCE = 16;
const TENANTS = 200;
/** As many replicas have a connection to each node. */
const CONNECTIONS = 200;
/** Ticks of the kernel's clock in a second. */
const TICKS = 100;
/** Processes that hold tokens of one bucket, as measured. */
const HOLDERS = [0, 10, 100, 1_000];

/** Measures the engines for some seconds each. */
export async function measureEngines(seconds: number): Promise<void> {
  await measureRedis(seconds);
  await measureConnections(seconds);
  await measureHolders(seconds);
  await measureKeys(seconds);
  await measureIncidents(seconds);
}

/** Runs work over and over, some at once, and gives how often it ran. */
async function repeat(seconds: number, work: (count: number) => Promise<unknown>): Promise<number> {
  const endMs = performance.now() + seconds * 1_000;
  let count = 0;
  const worker = async () => {
    while (performance.now() < endMs) await work(count++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return count;
}

const WARM_UP_MS = 4_000;
const RATE = { perSecond: 1_000_000, burst: 1_000_000 };
const claimOf = (id: string, group: string): LimitClaim => ({ bucket: { id, group, ...RATE }, cost: 1 });

/** A server on a busy machine is slow without being down. */
const EXACT = { mode: "exact", timeoutMs: 10_000 } as const;

/** Takes tokens, of which there are always enough. */
async function take(limits: Limits, claims: readonly LimitClaim[]): Promise<void> {
  const answer = await limits.take(claims);
  if (!answer.ok) throw new Error("tokens were not given", { cause: answer });
}

async function openRedis() {
  const server = await createRedisServer({ durable: false });
  // Buckets on a younger server hold only what has grown since its start, and a refusal costs Redis nothing.
  await sleep(WARM_UP_MS);
  const client = await createClient({ url: server.url }).connect();
  const limits = redisLimits({ client, replica: "bench", ...EXACT });
  const info = async (section: string, name: string) =>
    Number(new RegExp(`${name}:([\\d.]+)`).exec(await client.info(section))?.[1]);
  const cpu = async () => (await info("cpu", "used_cpu_user")) + (await info("cpu", "used_cpu_sys"));
  const close = async () => {
    await limits.close();
    client.destroy();
    await server.close();
  };
  return { client, limits, info, cpu, close };
}

async function measureRedis(seconds: number): Promise<void> {
  const { client, limits, info, cpu, close } = await openRedis();
  const before = await cpu();
  const asked = await info("stats", "total_commands_processed");
  const takes = await repeat(seconds, async (count) => {
    const tenant = count % TENANTS;
    // As a call of the gateway: key and tenant in one group, the tool in another.
    await take(limits, [
      claimOf(`key ${tenant}`, `tenant ${tenant}`),
      claimOf(`tenant ${tenant}`, `tenant ${tenant}`),
      claimOf("tool", "tool"),
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
  await close();
}

/** Requests of many processes come one by one, those of one process together. */
async function measureConnections(seconds: number): Promise<void> {
  const { client, cpu, close } = await openRedis();
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => client.duplicate().connect()));
  const all = clients.map((one) => redisLimits({ client: one, ...EXACT }));
  const before = await cpu();
  const takes = await repeat(seconds, async (count) => {
    const tenant = `tenant ${count % TENANTS}`;
    const limits = all[count % CONNECTIONS] as Limits;
    await take(limits, [claimOf(`key of ${tenant}`, tenant), claimOf(tenant, tenant)]);
  });
  const perScript = ((await cpu()) - before) / takes;
  console.log(`Redis, key and tenant in one script, over ${CONNECTIONS} connections in turn: ${us(perScript)} of CPU`);
  await Promise.all(all.map((one) => one.close()));
  for (const one of clients) one.destroy();
  await close();
}

/** A script reads what every process holds of a bucket, so the work grows with their number. */
async function measureHolders(seconds: number): Promise<void> {
  for (const holders of HOLDERS) {
    const { client, limits, cpu, close } = await openRedis();
    const claims = [claimOf("key", "tenant"), claimOf("tenant", "tenant")];
    const untilUs = (Date.now() + 3_600_000) * 1_000;
    for (const { bucket } of claims) {
      const name = `recourse:limits:{${encodeURIComponent(bucket.group)}}:${encodeURIComponent(bucket.id)}`;
      for (let holder = 0; holder < holders; holder += 1) {
        await client.hSet(name, `h:replica-${holder}~12345678`, `5 ${untilUs} ${holder + 1}`);
      }
    }
    const before = await cpu();
    const takes = await repeat(seconds, () => take(limits, claims));
    const perScript = ((await cpu()) - before) / takes;
    console.log(`Redis, key and tenant in one script, ${holders} processes hold tokens: ${us(perScript)} of CPU`);
    await close();
  }
}

async function measureKeys(seconds: number): Promise<void> {
  const cluster = await createCluster({ settings: ["fsync=on"] });
  const pool = new pg.Pool({ connectionString: cluster.url, max: AT_ONCE });
  await createSchema(pool);
  const store = postgresIdempotency({ pool, maxKeysPerCaller: Number.POSITIVE_INFINITY });
  const before = await cpuOf(cluster.port);
  const owner = "00".repeat(32);
  const keys = await repeat(seconds, async (count) => {
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

async function measureIncidents(seconds: number): Promise<void> {
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
export async function cpuOf(port: number): Promise<number> {
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

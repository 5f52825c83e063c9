// What a keyed call costs in each store, beside one bare INSERT and one bare SET: npm run bench -- stores [calls]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createCluster } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { type Measured, measure, merged, type Setup, SUBJECTS } from "./stores/measure.ts";
import { prepare, sizes } from "./stores/subjects.ts";

const calls = Number(process.argv[2] ?? 20_000);
const PROCESSES = 4;

// Durable as in production: commits and appends wait for the disk.
const postgres = await createCluster({ settings: ["fsync=on"] });
const redis = await createRedisServer({ durable: true });
const setup: Setup = { postgres: postgres.url, redis: redis.url };
try {
  await prepare(setup);
  console.log(
    `${calls} keyed calls (begin and settle, 500 characters) in each row; PostgreSQL and Redis wait for the disk\n`,
  );
  console.log("| what | at a time | calls a second | p50 ms | p99 ms |\n| --- | --- | --- | --- | --- |");
  for (const subject of SUBJECTS) {
    for (const atATime of [1, 16, 64])
      print(subject, String(atATime), await measure(subject, setup, { calls, atATime }));
    if (subject !== "memory") print(subject, `${PROCESSES} processes × 16`, await inProcesses(subject));
  }
  const bytes = await sizes(setup);
  console.log(`\nbytes of a key with its outcome: PostgreSQL ${bytes.postgres}, with indexes; Redis ${bytes.redis}`);
} finally {
  await postgres.close();
  await redis.close();
}

function print(what: string, how: string, { perSecond, p50, p99 }: Measured): void {
  console.log(
    `| ${[what, how, Math.round(perSecond).toLocaleString("en"), p50.toFixed(2), p99.toFixed(2)].join(" | ")} |`,
  );
}

async function inProcesses(subject: (typeof SUBJECTS)[number]): Promise<Measured> {
  const entry = new URL("stores/process.ts", import.meta.url).pathname;
  const options = JSON.stringify({ subject, setup, calls: Math.ceil(calls / PROCESSES), atATime: 16 });
  const children = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, ["--conditions=@recourse/source", entry, options], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const lines = children.map((child) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    return { ready: once(child.stdout, "data"), end: once(child, "exit"), text: () => text };
  });
  await Promise.all(lines.map(({ ready }) => ready));
  for (const child of children) child.stdin.end("go");
  await Promise.all(lines.map(({ end }) => end));
  return merged(lines.map(({ text }) => JSON.parse(text().replace("ready", "")) as Measured));
}

// Replicas of a gateway on one database, in this process and in others.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createTestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { onTestFinished } from "vitest";
import { createApiKey } from "../../../src/auth/api-keys.ts";
import { sha256Hex } from "../../../src/call/binding.ts";
import type { GatewayConfig, KeyConfig } from "../../../src/config/types.ts";
import type { GatewayOptions } from "../../../src/gateway.ts";
import { testConfig } from "../../support/config.ts";
import { unsynced } from "../../support/unsynced.ts";

/** The credentials of two tenants. */
export const ACME = createApiKey().key;
export const OTHER = createApiKey().key;

function keyConfig(key: string, tenant: string): KeyConfig {
  return {
    id: "ci",
    tenant,
    sha256: sha256Hex(key),
    tools: ["*"],
    scopes: [],
    entitlements: [],
    dialect: undefined,
  };
}

/** Options of a gateway that knows both tenants and keeps their keys. */
export function keyed(changes: Partial<GatewayConfig> = {}): Partial<GatewayConfig> {
  return {
    authentication: "required",
    keys: [keyConfig(ACME, "acme"), keyConfig(OTHER, "other")],
    idempotency: { keepMs: 60_000 },
    ...changes,
  };
}

/** How long engines may take to start on a busy machine. */
export const START_MS = 60_000;

/** Engines that replicas share, for one file of tests. `postgres` is that of a server of its own where it may be killed. */
export async function startEngines(postgres?: string) {
  const redis = await createRedisServer({ durable: false });
  const database = postgres === undefined ? await createTestDatabase() : undefined;
  const url = postgres ?? unsynced(database?.url ?? "");
  return {
    url,
    /** Options of a replica. */
    shared: (changes: Partial<GatewayConfig> = {}): Partial<GatewayConfig> =>
      keyed({
        store: { mode: "shared", redis: [redis.url], cluster: false, postgres: url },
        ...changes,
      }),
    async close() {
      await redis.close();
      await database?.drop();
    },
  };
}

/** A replica in a process of its own. */
export interface Replica {
  readonly url: URL;
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
}

/** Starts a replica in a process of its own, and kills it when the test has ended. */
export async function startReplica(changes: Partial<GatewayConfig>, options: GatewayOptions = {}): Promise<Replica> {
  const entry = new URL("replica.ts", import.meta.url).pathname;
  const given = JSON.stringify([testConfig({ drainMs: 0, ...changes }), options]);
  const child = spawn(process.execPath, ["--conditions=@recourse/source", "--no-warnings", entry, given], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    once(child, "exit").then(() => Promise.reject(new Error("the replica has ended"))),
  ])) as [string];
  return {
    url: new URL(line),
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    kill,
  };
}

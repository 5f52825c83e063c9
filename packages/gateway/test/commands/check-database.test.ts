// What the new version says about a database before an upgrade.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTestDatabase } from "@recourse/test-kit/postgres";
import { connectRedis, createRedisServer } from "@recourse/test-kit/redis";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serve } from "../../src/commands/serve.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import { type TestIo, testIo } from "./run.ts";

function fileFor(url: URL): string {
  return `listen: 127.0.0.1:0
store: memory
authentication: none
telemetry: { log: silent }
upstreams:
  up: { url: "${url}" }
`;
}

function write(io: TestIo, text: string): void {
  writeFileSync(join(io.cwd, "gateway.yaml"), text);
}

describe("serve --check --database", () => {
  it("compares the tables with what this version needs, and changes nothing in a database", async () => {
    const [upstream, redis, database] = await Promise.all([
      startStubUpstream(),
      createRedisServer({ durable: false }),
      createTestDatabase(),
    ]);
    onTestFinished(async () => {
      await redis.close();
      await database.drop();
    });
    const store = `store: { redis: "${redis.url}", postgres: "${database.url}" }`;
    const file = fileFor(upstream.url).replace("store: memory", store);
    const check = async (json = false) => {
      const io = testIo();
      write(io, file);
      const outcome = await serve({ check: true, database: true, json }, io);
      return { outcome, out: io.out() };
    };
    const tables = () =>
      database.query("select relname from pg_class where relnamespace = 'public'::regnamespace order by relname");
    const client = await connectRedis(redis.url);
    onTestFinished(() => client.destroy());

    const empty = await check();
    expect(empty.outcome).toEqual({ exit: "ok" });
    expect(empty.out).toContain("database: older than this version, which changes it when its first replica starts\n");
    expect(empty.out).toContain("no tables, this version knows");
    expect(await tables()).toEqual([]);
    expect(await client.sendCommand(["DBSIZE"])).toBe(0);

    const running = testIo();
    write(running, file);
    const ended = serve({}, running);
    await vi.waitFor(() => expect(running.out()).toContain("Listening"), { timeout: 20_000 });
    running.stop();
    expect(await ended).toEqual({ exit: "ok" });
    const current = await check();
    expect(current.out).toContain("database: as this version needs it\n");
    const made = await tables();
    await database.query("update gateway_schema set version = version + 1 where part = 'incidents'");
    const newer = await check();
    expect(newer.outcome).toEqual({ exit: "ok" });
    expect(newer.out).toContain("database: newer than this version, which can use it as it is\n");

    await database.query("alter table gateway_schema add column oldest int not null default 0");
    await database.query("update gateway_schema set oldest = version where part = 'incidents'");
    const unusable = await check(true);
    expect(unusable.outcome).toMatchObject({ failure: { exit: "unreachable", code: "schema" } });
    const { ok, database: found } = JSON.parse(unusable.out) as {
      ok: boolean;
      database: { parts: { part: string }[] };
    };
    expect(ok).toBe(false);
    expect(found.parts.find(({ part }) => part === "incidents")).toMatchObject({ state: "unusable" });
    expect(await tables()).toEqual(made);
  });

  it("says so where there is no database", async () => {
    const { url } = await startStubUpstream();
    const io = testIo();
    write(io, fileFor(url));
    expect(await serve({ check: true, database: true }, io)).toMatchObject({ failure: { exit: "usage" } });
  });
});

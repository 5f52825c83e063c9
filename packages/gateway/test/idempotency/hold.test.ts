// After a restore, the database does not know the keys of calls that ran since the backup.
import { holdKeys } from "@recourse/stores/postgres";
import { openPool } from "@recourse/test-kit/postgres";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { ADMIN, ask } from "../admin/support.ts";
import { recordingObserver } from "../catalog/support/calls.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { OK, startStubUpstream } from "../support/stub-upstream.ts";
import { callKeyed, faultIn } from "./support/call.ts";
import { START_MS, startEngines } from "./support/replicas.ts";

const TABLE = "gateway_idempotency";

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
}, START_MS);
afterAll(() => engines?.close());

it("a hold reaches replicas that run already, is seen by operators, and ends by itself", async () => {
  const upstream = await startStubUpstream();
  const { observer, switches } = recordingObserver();
  const holds = () => switches.flatMap((line) => /^hold (away|back)/.exec(line)?.[1] ?? []);
  const options = engines.shared({
    upstreams: [
      httpUpstream(upstream.url),
      httpUpstream(upstream.url, { name: "once", prefix: "once__", honoursKeys: true }),
    ],
    admin: ADMIN,
  });
  const one = await startTestGateway(options, { observer });
  const admin = one.adminUrl ?? one.url;
  const result = async (call: Parameters<typeof callKeyed>[1]) => (await callKeyed(one.url, call)).json().result;
  expect(await result({ key: '"known"' })).toEqual(JSON.parse(OK));
  const pool = openPool(engines.url);
  onTestFinished(() => pool.end());

  await holdKeys(pool, { table: TABLE, until: new Date(Date.now() + 600_000) });
  const fault = faultIn(await callKeyed(one.url, { key: '"new"' }));
  expect(fault).toMatchObject({ reason: "core/unavailable", effect: "none", recourse: [{ do: "retry" }] });
  expect(fault.retry?.afterMs).toBeGreaterThan(500_000);
  expect(fault.retry?.afterMs).toBeLessThanOrEqual(600_000);
  expect(fault.incident).toBeUndefined();
  expect(upstream.received).toHaveLength(1);
  // What is known is answered, and what is safe runs.
  expect(await result({ key: '"known"' })).toEqual(JSON.parse(OK));
  expect(upstream.received).toHaveLength(1);
  expect(await result({})).toEqual(JSON.parse(OK));
  expect(await result({ key: '"new"', tool: "once__echo" })).toEqual(JSON.parse(OK));
  expect(upstream.received).toHaveLength(3);

  await expect.poll(holds).toEqual(["away"]);
  const health = (await ask(admin, "/health")).json as { status: string; why: { part: string; text: string }[] };
  expect(health.why.find(({ part }) => part === "hold")?.text).toMatch(
    /^The database was restored\. Calls with a new idempotency key are refused until \d{4}-.*Z\. Other calls continue\.$/,
  );
  // A replica that starts meanwhile says so before the first call.
  const later = recordingObserver();
  await startTestGateway(options, { observer: later.observer });
  await expect.poll(() => later.switches.some((line) => line.startsWith("hold away"))).toBe(true);

  await pool.query(`update ${TABLE} set expires = now() where key = ''`);
  expect(await result({ key: '"new"' })).toEqual(JSON.parse(OK));
  await expect.poll(holds, { timeout: 10_000 }).toEqual(["away", "back"]);
  expect(upstream.received).toHaveLength(4);
});

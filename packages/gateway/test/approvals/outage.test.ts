// The database of the approvals is killed and started again, or answers too late.

import { type Cluster, createCluster } from "@recourse/test-kit/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApprovalTable } from "../../src/approvals/approval-statements.ts";
import type { ApprovalStore } from "../../src/approvals/approvals.ts";
import { takeApproval } from "../../src/approvals/call-approvals.ts";
import { approvalsInReach } from "../../src/approvals/open-approvals.ts";
import { type PostgresApprovals, postgresApprovals } from "../../src/approvals/postgres-approvals.ts";
import { poolOf, requestOf } from "./support.ts";

let cluster: Cluster;
let pool: ReturnType<typeof poolOf>;
let inner: PostgresApprovals;

beforeAll(async () => {
  cluster = await createCluster();
  pool = poolOf(cluster.url);
  await createApprovalTable(pool);
  inner = postgresApprovals(pool);
}, 120_000);
afterAll(async () => {
  await pool.end();
  await cluster.close();
});

function recorder() {
  const switches: string[] = [];
  const lines: string[] = [];
  return {
    switches,
    lines,
    switched: (control: string, state: string) => void switches.push(`${control} ${state}`),
    log: (level: string, message: string) => void lines.push(`${level} ${message}`),
  };
}

async function approved(store: ApprovalStore, request = requestOf()): Promise<string> {
  const asked = await store.consume(request, "first");
  const id = asked.state === "pending" || asked.state === "expired" ? asked.id : "";
  await store.decide({ id, approve: true, by: "ann" });
  return id;
}

const OPTIONS = { link: undefined, canAskByUrl: false, signal: new AbortController().signal };

describe("a database that is away", { timeout: 60_000 }, () => {
  it("refuses calls at once, and what could not be given back is given back later", async () => {
    const observer = recorder();
    const store = approvalsInReach(inner, observer);
    const request = requestOf({ caller: "outage" });
    const id = await approved(store, request);
    expect(await store.consume(request, "c1")).toEqual({ state: "consumed", id });

    await cluster.kill();
    // The call of `c1` never left, but nobody can be told.
    await store.giveBack(id, "c1");
    for (const call of ["c2", "c3"])
      expect(await takeApproval(store, request, { ...OPTIONS, call })).toMatchObject({
        reason: "auth/approval_unavailable",
        effect: "none",
      });
    expect(observer.switches).toEqual(["approvals away"]);

    await cluster.start();
    await expect.poll(() => observer.switches, { timeout: 20_000 }).toEqual(["approvals away", "approvals back"]);
    expect(await takeApproval(store, request, { ...OPTIONS, call: "c4" })).toEqual({ id });
    await store.close();
  });

  it("uses nothing up for a call that never learnt of it", async () => {
    const observer = recorder();
    const request = requestOf({ caller: "lost" });
    // The reply of one statement is lost, though it was carried out.
    let isLost = true;
    const losing: PostgresApprovals = {
      ...inner,
      async consume(asked, call) {
        const answer = await inner.consume(asked, call);
        if (answer.state === "consumed" && isLost) {
          isLost = false;
          throw new Error("connection lost");
        }
        return answer;
      },
    };
    const store = approvalsInReach(losing, observer, { probeEveryMs: 10 });
    const id = await approved(store, request);
    await expect(store.consume(request, "c1")).rejects.toThrow("connection lost");
    await expect.poll(() => observer.switches, { timeout: 20_000 }).toEqual(["approvals away", "approvals back"]);
    expect(await store.find(id)).toMatchObject({ state: "approved" });
    expect(await store.consume(request, "c2")).toEqual({ state: "consumed", id });
    await store.close();
  });

  it("gives back what an answer that comes too late has used up", async () => {
    const observer = recorder();
    const request = requestOf({ caller: "late" });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isSlow = false;
    const slow: PostgresApprovals = {
      ...inner,
      async consume(asked, call) {
        if (isSlow) await held;
        return inner.consume(asked, call);
      },
    };
    const store = approvalsInReach(slow, observer, { probeEveryMs: 10, timeoutMs: 500 });
    const id = await approved(store, request);
    isSlow = true;
    await expect(store.consume(request, "c1")).rejects.toThrow("no answer in time");
    await expect.poll(() => observer.switches, { timeout: 20_000 }).toContain("approvals back");
    isSlow = false;
    release();
    await expect.poll(async () => (await inner.find(id))?.state, { timeout: 20_000 }).toBe("approved");
    expect(await inner.consume(request, "c2")).toEqual({ state: "consumed", id });
    await store.close();
  });

  it("says what stays used up when the gateway stops first", async () => {
    const observer = recorder();
    const request = requestOf({ caller: "stopped" });
    const broken: PostgresApprovals = { ...inner, giveBack: () => Promise.reject(new Error("away")) };
    const store = approvalsInReach(broken, observer, { probeEveryMs: 60_000 });
    const id = await approved(store, request);
    await store.consume(request, "c1");
    await store.giveBack(id, "c1");
    await store.close();
    expect(observer.lines).toContain("error Approvals stay used up, and their calls were not made.");
  });
});

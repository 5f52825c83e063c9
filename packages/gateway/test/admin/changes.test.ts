// What operators change: done once, known to the audit, and a line of the log.

import { createHash } from "node:crypto";
import { readFault } from "@recourse/core";
import { describe, expect, it } from "vitest";
import type { Audit } from "../../src/changes/audit.ts";
import { memoryEvents } from "../../src/changes/memory-events.ts";
import {
  APPROVAL_ID,
  ask,
  expectProblem,
  keyOf,
  someApprovals,
  someBreakers,
  someIncidents,
  someKeys,
  startTestAdmin,
} from "./support.ts";

const DECISION = `/approvals/${APPROVAL_ID}/decision`;
const away = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });

/** An audit that cannot be written, after some entries. */
function failingAudit(after = 0): Audit {
  const inner = memoryEvents().audit;
  let written = 0;
  return { ...inner, record: (entry) => (written++ < after ? inner.record(entry) : Promise.reject(away)) };
}

describe("a decision", () => {
  it.each([
    [true, "approved", "approval.approve"],
    [false, "denied", "approval.deny"],
  ])("approve: %s", async (approve, state, action) => {
    const { url, audit, lines } = await startTestAdmin();
    const got = await ask(url, DECISION, { method: "POST", key: keyOf("approver"), body: { approve } });
    expect([got.status, got.json.state, got.json.decidedBy]).toEqual([200, state, "the-approver"]);
    const facts = { tool: "shop__refund", tenant: "acme", caller: '["key","acme","ci"]' };
    await expect(audit?.list({ limit: 10 })).resolves.toEqual([
      { id: "1", at: "2026-11-16T12:00:00.000Z", by: "the-approver", action, target: APPROVAL_ID, facts },
    ]);
    expect(lines).toEqual([
      ["info", "An operator made a change.", { by: "the-approver", action, target: APPROVAL_ID, outcome: "done" }],
    ]);
  });

  it("keeps the note of the operator with the approval and in the audit", async () => {
    const { url, audit } = await startTestAdmin();
    const note = "Ask Ann first.";
    const got = await ask(url, DECISION, { method: "POST", body: { approve: false, note } });
    expect(got.json).toMatchObject({ note, decision: "denied", title: "Refund", upstream: "up" });
    await expect(audit?.list({ limit: 1 })).resolves.toMatchObject([{ facts: { note } }]);
    const long = { approve: false, note: "x".repeat(501) };
    expectProblem(await ask(url, DECISION, { method: "POST", body: long }), 400, "protocol/invalid_params");
  });

  it("is made once: the second is refused and is no entry", async () => {
    const { url, audit } = await startTestAdmin();
    await ask(url, DECISION, { method: "POST", body: { approve: true } });
    const second = await ask(url, DECISION, { method: "POST", body: { approve: false } });
    expectProblem(second, 409, "core/conflict");
    expect(readFault(second.json.fault)).toMatchObject({ effect: "none", recourse: [{ do: "refresh" }] });
    expect((await ask(url, `/approvals/${APPROVAL_ID}`)).json.state).toBe("approved");
    await expect(audit?.list({ limit: 10 })).resolves.toHaveLength(1);
  });

  it("that another operator was faster with is refused, and the audit says so", async () => {
    const approvals = someApprovals();
    const late = {
      ...approvals,
      decide: async (decision: Parameters<typeof approvals.decide>[0]) => {
        await approvals.decide({ ...decision, approve: false, by: "somebody" });
        return approvals.decide(decision);
      },
    };
    const { url, audit } = await startTestAdmin({ controls: { approvals: late } });
    expectProblem(await ask(url, DECISION, { method: "POST", body: { approve: true } }), 409, "core/conflict");
    await expect(audit?.list({ limit: 10 })).resolves.toMatchObject([
      { action: "approval.approve", facts: { outcome: "refused" } },
      { action: "approval.approve", facts: expect.not.objectContaining({ outcome: expect.anything() }) },
    ]);
  });

  it.each(["approved", "denied", "consumed", "expired"] as const)(
    "of an approval that is %s is refused",
    async (state) => {
      const { url, audit } = await startTestAdmin({ controls: { approvals: someApprovals(state) } });
      expectProblem(await ask(url, DECISION, { method: "POST", body: { approve: true } }), 409, "core/conflict");
      await expect(audit?.list({ limit: 10 })).resolves.toEqual([]);
    },
  );

  it("of an approval that is not there is no entry", async () => {
    const { url, audit } = await startTestAdmin();
    const path = "/approvals/01M7HXRMR83H8Q9JKGBAVMDXX9/decision";
    expectProblem(await ask(url, path, { method: "POST", body: { approve: true } }), 404, "core/not_found");
    await expect(audit?.list({ limit: 10 })).resolves.toEqual([]);
  });
});

describe("without the audit", () => {
  it("nothing is changed", async () => {
    const { breakers, resets } = someBreakers();
    const { incidents, asked } = someIncidents();
    const approvals = someApprovals();
    const keys = someKeys();
    const { url } = await startTestAdmin({ keys, controls: { audit: failingAudit(), breakers, incidents, approvals } });
    for (const [path, method, body] of [
      [DECISION, "POST", { approve: true }],
      ["/breakers/up/reset", "POST", undefined],
      ["/keys", "POST", { id: "web" }],
      ["/callers/x/incidents", "DELETE", undefined],
    ] as const) {
      const got = await ask(url, path, { method, body });
      expectProblem(got, 503, "core/unavailable");
      expect(got.json.fault.effect).toBe("none");
    }
    expect([resets, asked, await keys.list()]).toEqual([[], [], []]);
    await expect(approvals.find(APPROVAL_ID)).resolves.toMatchObject({ state: "pending" });
  });

  it("a change whose failure cannot be written down is a line of the log", async () => {
    const { breakers } = someBreakers();
    const broken = { ...breakers, views: breakers.views, reset: () => Promise.reject(away) };
    const { url, lines } = await startTestAdmin({ controls: { audit: failingAudit(1), breakers: broken } });
    expectProblem(await ask(url, "/breakers/up/reset", { method: "POST" }), 503, "core/unavailable");
    expect(lines).toEqual([
      ["info", "An operator made a change.", expect.objectContaining({ outcome: "failed" })],
      [
        "error",
        "The audit does not know that a change was not made.",
        expect.objectContaining({ code: "ECONNREFUSED" }),
      ],
    ]);
  });
});

describe("a change that fails", () => {
  it("may have been made, and the audit says so", async () => {
    const { breakers } = someBreakers();
    const broken = { ...breakers, views: breakers.views, reset: () => Promise.reject(away) };
    const { url, audit } = await startTestAdmin({ controls: { breakers: broken } });
    const got = await ask(url, "/breakers/up/reset", { method: "POST" });
    expectProblem(got, 503, "core/unavailable");
    expect(got.json.fault.effect).toBe("possible");
    await expect(audit?.list({ limit: 10 })).resolves.toMatchObject([
      { action: "breaker.reset", target: "up", facts: { outcome: "failed" } },
      { action: "breaker.reset", target: "up", facts: {} },
    ]);
  });

  it("that never ends is answered after a while", async () => {
    const { breakers } = someBreakers();
    const stuck = { ...breakers, views: breakers.views, reset: () => new Promise<never>(() => {}) };
    const { incidents } = someIncidents();
    const still = { ...incidents, reader: { ...incidents.reader, find: () => new Promise<never>(() => {}) } };
    const { url } = await startTestAdmin({ answerMs: 50, controls: { breakers: stuck, incidents: still } });
    const change = await ask(url, "/breakers/up/reset", { method: "POST" });
    expect([change.status, change.json.fault.effect]).toEqual([503, "possible"]);
    const read = await ask(url, "/incidents/01M7HXRMR83H8Q9JKGBAVMDXX9");
    expect([read.status, read.json.fault.effect]).toEqual([503, "none"]);
  });
});

describe("keys", () => {
  it("are made, shown once, listed without their digest, and revoked", async () => {
    const { url, audit } = await startTestAdmin();
    const body = {
      id: "web",
      tenant: "acme",
      tools: ["shop__*"],
      scopes: ["orders"],
      expiresAt: "2030-01-01T00:00:00+01:00",
    };
    const made = await ask(url, "/keys", { method: "POST", body });
    expect(made.status).toBe(201);
    const { key, prefix } = made.json;
    expect(key).toMatch(/^rk_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/);
    const listed = await ask(url, "/keys");
    expect(listed.json.items).toEqual([
      {
        ...{
          source: "database",
          prefix,
          id: "web",
          tenant: "acme",
          tools: ["shop__*"],
          scopes: ["orders"],
          entitlements: [],
        },
        ...{
          createdBy: "the-admin",
          createdAt: "2026-11-16T12:00:00.000Z",
          expiresAt: "2029-12-31T23:00:00.000Z",
          state: "good",
        },
      },
    ]);
    const digest = createHash("sha256").update(key).digest("hex");
    expect(listed.text).not.toContain(key.slice(12));
    expect(listed.text).not.toContain(digest);
    const revoked = await ask(url, `/keys/${prefix}`, { method: "DELETE" });
    expect(revoked.json).toEqual({ revoked: [prefix] });
    expect((await ask(url, "/keys")).json.items[0].state).toBe("revoked");
    expectProblem(await ask(url, `/keys/${prefix}`, { method: "DELETE" }), 404, "core/not_found");
    const entries = await audit?.list({ limit: 10 });
    expect(entries?.map(({ action, target }) => [action, target])).toEqual([
      ["key.revoke", prefix],
      ["key.add", "acme/web"],
    ]);
    expect(JSON.stringify(entries)).not.toContain(key.slice(12));
    expect(JSON.stringify(entries)).not.toContain(digest);
  });

  it("of the file are listed after those of the database", async () => {
    const ofFile = {
      id: "ci",
      tenant: "t",
      sha256: "a".repeat(64),
      tools: ["*"],
      scopes: [],
      entitlements: [],
      dialect: undefined,
    };
    const { url } = await startTestAdmin({}, { keys: [ofFile] });
    await ask(url, "/keys", { method: "POST", body: { id: "web" } });
    const first = await ask(url, "/keys?limit=1");
    expect(first.json.items).toMatchObject([{ source: "database", tenant: "default", tools: ["*"] }]);
    const second = await ask(url, `/keys?limit=1&before=${first.json.next}`);
    expect(second.json).toMatchObject({ items: [{ source: "file", id: "ci", state: "good" }], next: null });
    expect(second.text).not.toContain("aaaa");
    const idsOf = async (query: string) =>
      (await ask(url, `/keys?${query}`)).json.items.map(({ id }: { id: string }) => id);
    expect(await idsOf("tenant=t")).toEqual(["ci"]);
    expect(await idsOf("state=good")).toEqual(["web", "ci"]);
    expect(await idsOf("state=revoked")).toEqual([]);
    expectProblem(await ask(url, "/keys?state=bad"), 400, "protocol/invalid_params");
  });

  it.each([
    ["no id", {}],
    ["an id with spaces", { id: "a b" }],
    ["a list that is none", { id: "a", tools: "*" }],
    ["too many tools", { id: "a", tools: Array(101).fill("x") }],
    ["a digest of one's own", { id: "a", sha256: "0".repeat(64) }],
    ["an unknown dialect", { id: "a", dialect: "latin" }],
    ["a time that is none", { id: "a", expiresAt: "soon" }],
    ["a time with a leap second", { id: "a", expiresAt: "2026-12-31T23:59:60Z" }],
  ])("with %s are refused", async (_, body) => {
    const { url } = await startTestAdmin();
    expectProblem(await ask(url, "/keys", { method: "POST", body }), 400, "protocol/invalid_params");
    expect((await ask(url, "/keys")).json.items).toEqual([]);
  });
});

it("erasing leaves a digest of the caller in the audit, not its id", async () => {
  const { incidents, asked } = someIncidents();
  const { url, audit, lines } = await startTestAdmin({ controls: { incidents } });
  const caller = '["key","acme","ann@example.com"]';
  const got = await ask(url, `/callers/${encodeURIComponent(caller)}/incidents`, { method: "DELETE" });
  expect(got.json).toEqual({ erased: 4 });
  expect(asked).toEqual([{ caller }]);
  const entries = await audit?.list({ limit: 10 });
  const digest = createHash("sha256").update(caller).digest("hex");
  expect(entries).toMatchObject([{ action: "incidents.erase", target: `sha256:${digest}` }]);
  expect(JSON.stringify([entries, lines])).not.toContain("ann@example.com");
});

it("a breaker of an unknown upstream is not there", async () => {
  const { breakers, resets } = someBreakers();
  const { url } = await startTestAdmin({ controls: { breakers } });
  expectProblem(await ask(url, "/breakers/nobody/reset", { method: "POST" }), 404, "core/not_found");
  expect((await ask(url, "/breakers/up/reset", { method: "POST" })).json).toEqual({ upstream: "up", reset: true });
  expect(resets).toEqual(["up"]);
});

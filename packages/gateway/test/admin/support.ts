import { createHash } from "node:crypto";
import { request } from "undici";
import { expect, onTestFinished } from "vitest";
import type { AdminParts } from "../../src/admin/parts.ts";
import type { AdminRoute } from "../../src/admin/route.ts";
import { startAdmin } from "../../src/admin/start-admin.ts";
import type { Approval, ApprovalStore } from "../../src/approvals/approvals.ts";
import type { Breakers } from "../../src/breaker/breakers.ts";
import type { Observer } from "../../src/call/observer.ts";
import { memoryEvents } from "../../src/changes/memory-events.ts";
import type { AdminConfig, AdminRole, GatewayConfig } from "../../src/config/types.ts";
import type { GatewayIncident, IncidentClass, IncidentRow, Incidents } from "../../src/incidents/incidents.ts";
import type { KeyStore, StoredApiKey } from "../../src/stores/keys.ts";
import { Activity } from "../../src/telemetry/activity.ts";
import { httpUpstream, testConfig } from "../support/config.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The key of an operator with a role. */
export const keyOf = (role: AdminRole): string => `rk_test_${role}_0123456789`;

/** An API on a free port with one key for each role. */
export const ADMIN: AdminConfig = {
  listen: { host: "127.0.0.1", port: 0 },
  keys: (["viewer", "approver", "admin"] as const).map((role) => ({
    id: `the-${role}`,
    role,
    sha256: sha256(keyOf(role)),
  })),
};

export const INCIDENT_ID = "01M7HXRMR83H8Q9JKGBAVMDXX4";
export const APPROVAL_ID = "01M7HXRMR83H8Q9JKGBAVMDXX5";
export const FINGERPRINT = "00ff".repeat(8);
export const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const AT = "2026-11-16T12:00:00.000Z";
const NOW = Date.parse(AT);

export const INCIDENT: IncidentRow = {
  id: INCIDENT_ID,
  at: AT,
  fingerprint: FINGERPRINT,
  reason: "core/unavailable",
  kind: "unavailable",
  tenant: "acme",
  caller: '["key","acme","ci"]',
  tool: "shop__refund",
  upstream: "shop",
  upstreamIncident: undefined,
  effect: "none",
  trace: TRACE,
  sample: undefined,
};

const CLASS: IncidentClass = {
  fingerprint: FINGERPRINT,
  reason: "core/unavailable",
  kind: "unavailable",
  tool: "shop__refund",
  upstream: "shop",
  message: "A service that this call needs cannot be reached.",
  title: "Unavailable",
  severity: "error",
  effect: "none",
  sampleId: INCIDENT_ID,
  firstSeen: AT,
  lastSeen: AT,
  count: 3,
};

/** Incidents that are always the same; `asked` is what they were asked for. */
export function someIncidents(rows: readonly IncidentRow[] = [INCIDENT]) {
  const asked: unknown[] = [];
  const incidents: Incidents = {
    admit: () => ({ id: INCIDENT.id, fingerprint: INCIDENT.fingerprint, isOther: false, isKept: true }),
    sink: () => {},
    state: { waiting: 2, dropped: 1, droppedSamples: 0, isAway: false },
    reader: {
      find: async (id) => rows.find((row) => row.id === id),
      async search(filter, page) {
        asked.push({ filter, page });
        return rows.slice(rows.findIndex(({ id }) => id === page.before) + 1).slice(0, page.limit);
      },
      findClass: async (fingerprint) => (fingerprint === FINGERPRINT ? CLASS : undefined),
      findClasses: async (prefix) => (FINGERPRINT.startsWith(prefix) ? [CLASS] : []),
      knownNames: async () => ({ reasons: [], tools: [], upstreams: [], callers: [] }),
      async rates(filter, by, width) {
        asked.push({ filter, by, width });
        return [{ at: AT, group: "unavailable", count: 3 }];
      },
      async erase(caller) {
        asked.push({ caller });
        return 4;
      },
    },
    close: async () => {},
  };
  return { incidents, asked };
}

/** Approvals in this process. */
export function someApprovals(state: Approval["state"] = "pending"): ApprovalStore {
  let approval: Approval = {
    id: APPROVAL_ID,
    state,
    tenant: "acme",
    caller: '["key","acme","ci"]',
    tool: "shop__refund",
    arguments: '{"order":7}',
    policy: "p1",
    createdAt: AT,
    expiresAt: AT,
    decidedAt: undefined,
    decidedBy: undefined,
  };
  return {
    consume: () => Promise.reject(new TypeError("not used here")),
    giveBack: async () => {},
    find: async (id) => (id === APPROVAL_ID ? approval : undefined),
    list: async (filter) => (filter.state === undefined || filter.state === approval.state ? [approval] : []),
    countPending: async () => ({ count: approval.state === "pending" ? 1 : 0, oldestMs: 0 }),
    async decide({ approve, by, note }) {
      if (approval.state !== "pending") return { approval, isDecided: false };
      const decision = approve ? "approved" : "denied";
      approval = { ...approval, state: decision, decision, decidedAt: AT, decidedBy: by, note };
      return { approval, isDecided: true };
    },
    deleteOld: async () => 0,
    close: async () => {},
  };
}

/** Breakers of one upstream; `resets` are the names that were reset. */
export function someBreakers() {
  const resets: string[] = [];
  const breakers: Breakers = {
    ask: () => ({ go: false, afterMs: 500 }),
    tell: () => {},
    views: [{ upstream: "up", state: "open", afterMs: 500, scope: "shared" }],
    async reset({ upstream, tool }) {
      resets.push(tool === undefined ? upstream : `${upstream} ${tool}`);
    },
    close: () => {},
  };
  return { breakers, resets };
}

/** API keys in this process. */
export function someKeys(): KeyStore {
  const rows = new Map<string, StoredApiKey>();
  return {
    find: async (prefix) => rows.get(prefix),
    async add(key) {
      if (rows.has(key.prefix)) return false;
      rows.set(key.prefix, { ...key, created: new Date(NOW), revoked: undefined });
      return true;
    },
    list: async () => [...rows.values()].toReversed(),
    async markUsed(prefix) {
      const key = rows.get(prefix);
      if (key !== undefined) rows.set(prefix, { ...key, lastUsed: new Date(NOW) });
    },
    async revoke(prefixOrId) {
      const found = [...rows.values()].filter(({ prefix, id }) => [prefix, id].includes(prefixOrId));
      const open = found.filter(({ revoked }) => revoked === undefined);
      for (const key of open) rows.set(key.prefix, { ...key, revoked: new Date(NOW) });
      return open.map(({ prefix }) => prefix);
    },
  };
}

/** Starts an API whose parts are all there, and closes it when the test has ended. */
export async function startTestAdmin(
  changes: Partial<Omit<AdminParts, "controls">> & { readonly controls?: Partial<AdminParts["controls"]> } = {},
  config: Partial<GatewayConfig> = {},
) {
  const lines: unknown[] = [];
  const reported: GatewayIncident[] = [];
  const log = (...line: unknown[]) => void lines.push(line);
  const observer = { log, unexpected: () => {} } as unknown as Observer;
  const full = testConfig({
    admin: ADMIN,
    drainMs: 0,
    upstreams: [httpUpstream("http://127.0.0.1:1/mcp")],
    ...config,
  });
  const controls = {
    approvals: someApprovals(),
    breakers: someBreakers().breakers,
    incidents: someIncidents().incidents,
    counts: undefined,
    audit: memoryEvents(() => NOW).audit,
    ...changes.controls,
  };
  const admin = await startAdmin({
    config: () => full,
    keys: someKeys(),
    upstreams: () => [{ upstream: "up", listed: "current", tools: 3, shadowed: [] }],
    findTool: (name) => (name === "shop__refund" ? { upstream: "up", title: "Refund" } : undefined),
    areLimitsAway: () => false,
    activity: new Activity(() => NOW),
    observer,
    sink: (incident) => void reported.push(incident),
    version: "0.1.0",
    now: () => NOW,
    ...changes,
    controls,
  });
  if (admin === undefined) throw new Error("no API was started");
  onTestFinished(() => admin.close());
  return { url: admin.url, lines, reported, audit: controls.audit, close: () => admin.close() };
}

/** What a request to the API can have. */
export interface Sent {
  readonly method?: AdminRoute["method"] | "PUT" | "HEAD" | "OPTIONS";
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly text?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer of the API. */
export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many forms.
  readonly json: any;
}

/** Sends a request; the key is that of an admin unless another is given. */
export async function ask(url: URL, path: string, sent: Sent = {}): Promise<Got> {
  const { method = "GET", body, headers = {} } = sent;
  const key = "key" in sent ? sent.key : keyOf("admin");
  const text = sent.text ?? (body === undefined ? undefined : JSON.stringify(body));
  const answer = await request(`${url.href}${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(text !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  });
  const received = await answer.body.text();
  const isJson = /json/.test(String(answer.headers["content-type"])) && received !== "";
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: received,
    json: isJson ? JSON.parse(received) : undefined,
  };
}

/** Expects a problem document with a reason. */
export function expectProblem(got: Got, status: number, reason: string): void {
  expect([got.status, got.json?.fault?.reason, got.json?.status]).toEqual([status, reason, status]);
  expect(got.headers["content-type"]).toBe("application/problem+json");
  expect(got.headers["cache-control"]).toBe("no-store");
}

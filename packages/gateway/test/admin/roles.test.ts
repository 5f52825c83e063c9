// Every route, with every role and without one. The rows come from the table, so a new route is tested too.

import { describe, expect, it } from "vitest";
import { ROUTES } from "../../src/admin/app.ts";
import type { AdminRoute } from "../../src/admin/route.ts";
import { ADMIN_ROLES, type AdminRole } from "../../src/config/types.ts";
import { storeKey } from "../auth/support.ts";
import {
  APPROVAL_ID,
  ask,
  expectProblem,
  FINGERPRINT,
  INCIDENT_ID,
  keyOf,
  someKeys,
  startTestAdmin,
} from "./support.ts";

/** A value for each parameter in a path, and a body for each operation that has one. */
const PATHS: Readonly<Record<string, string>> = {
  "/incidents/{id}": `/incidents/${INCIDENT_ID}`,
  "/incident-classes/{fingerprint}": `/incident-classes/${FINGERPRINT}`,
  "/explain/{domain}/{name}": "/explain/core/timeout",
  "/callers/{caller}/incidents": `/callers/${encodeURIComponent('["key","acme","ci"]')}/incidents`,
  "/approvals/{id}": `/approvals/${APPROVAL_ID}`,
  "/approvals/{id}/decision": `/approvals/${APPROVAL_ID}/decision`,
  "/keys/{key}": "/keys/ci",
  "/breakers/{upstream}/reset": "/breakers/up/reset",
};
const BODIES: Readonly<Record<string, unknown>> = { decideApproval: { approve: true }, addKey: { id: "web" } };

/** The least role of each operation, apart from the table. */
const NEEDED: Readonly<Record<string, AdminRole | undefined>> = {
  searchIncidents: "viewer",
  getIncident: "viewer",
  listIncidentClasses: "viewer",
  getIncidentClass: "viewer",
  eraseCallerIncidents: "admin",
  explainReason: "viewer",
  find: "viewer",
  listApprovals: "viewer",
  getApproval: "viewer",
  decideApproval: "approver",
  listKeys: "admin",
  addKey: "admin",
  revokeKey: "admin",
  listUpstreams: "viewer",
  listBreakers: "viewer",
  resetBreaker: "admin",
  getLimits: "viewer",
  listAudit: "viewer",
  getHealth: "viewer",
  getOverview: "viewer",
  getIncidentSeries: "viewer",
  getIncidentHits: "viewer",
  getCallRates: "viewer",
  listLimitRefusals: "viewer",
  listChanges: "viewer",
  listReplicas: "viewer",
  getMe: "viewer",
  getDocument: undefined,
};

async function use(route: AdminRoute, key: string | undefined) {
  const keys = someKeys();
  await storeKey(keys);
  const admin = await startTestAdmin({ keys });
  const body = BODIES[route.id];
  const got = await ask(admin.url, PATHS[route.path] ?? route.path, { method: route.method, key, body });
  return { ...admin, got };
}

it("knows the role of every route", () => {
  expect(Object.fromEntries(ROUTES.map(({ id, role }) => [id, role]))).toEqual(NEEDED);
});

describe.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_, route) => {
  const needed = NEEDED[route.id];

  it.each(ADMIN_ROLES)("as %s", async (role) => {
    const { got, reported, audit } = await use(route, keyOf(role));
    const isAllowed = needed === undefined || ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(needed);
    if (isAllowed) {
      expect(got.status).toBe(route.status ?? 200);
      expect(got.headers["content-type"]).toBe("application/json");
      expect(route.answer.safeParse(got.json).error).toBeUndefined();
    } else {
      expectProblem(got, 403, "auth/not_authorized");
      expect(got.json.fault.params).toEqual({ operation: route.id, requiredRole: needed });
    }
    const entries = await audit?.list({ limit: 10 });
    expect(entries).toHaveLength(isAllowed && route.method !== "GET" ? 1 : 0);
    expect(reported).toEqual([]);
  });

  it.each([
    ["no key", undefined],
    ["a wrong key", "rk_test_admin_012345678"],
    ["a longer key", `${keyOf("admin")}0`],
    ["a very long key", "k".repeat(10_000)],
  ])("with %s", async (_name, key) => {
    const { got, audit } = await use(route, key);
    if (needed === undefined) {
      expect(got.status).toBe(200);
    } else {
      expectProblem(got, 401, "auth/unauthorized");
      expect(got.headers["www-authenticate"]).toBe("Bearer");
    }
    await expect(audit?.list({ limit: 10 })).resolves.toEqual([]);
  });
});

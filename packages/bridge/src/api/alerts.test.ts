import { core, rest } from "@recourse/faults";
import { expect, test } from "vitest";
import { type Alert, createAlerts } from "./alerts.ts";

function createTestAlerts() {
  const sent: Alert[] = [];
  return {
    sent,
    alerts: createAlerts(
      (alert) => sent.push(alert),
      () => 0,
    ),
  };
}
const reasons = (sent: readonly Alert[]) => sent.map(({ fault, tool }) => `${fault.reason} ${tool}`);

test("an alert for the whole API is sent once, an alert for a tool once per tool", () => {
  const { sent, alerts } = createTestAlerts();
  for (const tool of ["a", "b", "a"]) {
    alerts.failed(tool, rest.upstream_auth.fault(), undefined);
    alerts.failed(tool, rest.route_missing.fault(), undefined);
    alerts.failed(tool, rest.not_found.fault(), undefined);
  }
  expect(reasons(sent)).toEqual(["rest/upstream_auth a", "rest/route_missing a", "rest/route_missing b"]);
  expect(sent[0]).toMatchObject({ severity: "critical", at: "1970-01-01T00:00:00.000Z" });
});

test("after a success the alert is sent again", () => {
  const { sent, alerts } = createTestAlerts();
  const fail = (tool: string) => alerts.failed(tool, rest.upstream_forbidden.fault(), new Error("why"));
  for (const tool of ["a", "b"]) fail(tool);
  alerts.succeeded("a");
  for (const tool of ["a", "b"]) fail(tool);
  expect(reasons(sent)).toEqual(["a", "b", "a"].map((tool) => `rest/upstream_forbidden ${tool}`));
});

test("a relayed failure is reported unless it is the caller's mistake", () => {
  const { sent, alerts } = createTestAlerts();
  alerts.relayed("a", rest.invalid_arguments.fault(), undefined);
  alerts.relayed("a", rest.not_found.fault(), undefined);
  alerts.relayed("a", rest.upstream_failed.fault(), undefined);
  expect(reasons(sent)).toEqual(["rest/upstream_failed a"]);
});

test("a sink that fails breaks nothing", async () => {
  const failing = createAlerts(() => Promise.reject(new Error("down")), Date.now);
  failing.failed("a", core.misconfigured.fault(), undefined);
  const throwing = createAlerts(() => {
    throw new Error("down");
  }, Date.now);
  expect(() => throwing.failed("a", core.misconfigured.fault(), undefined)).not.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
});

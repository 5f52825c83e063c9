import { core, rest } from "@recourse/faults";
import { expect, test } from "vitest";
import { type Alert, createAlerts } from "./alerts.ts";

function collected() {
  const told: Alert[] = [];
  return {
    told,
    alerts: createAlerts(
      (alert) => told.push(alert),
      () => 0,
    ),
  };
}
const reasons = (told: readonly Alert[]) => told.map(({ fault, tool }) => `${fault.reason} ${tool}`);

test("what concerns the whole API is told once, what concerns a tool once for each", () => {
  const { told, alerts } = collected();
  for (const tool of ["a", "b", "a"]) {
    alerts.failed(tool, rest.upstream_auth.fault(), undefined);
    alerts.failed(tool, rest.route_missing.fault(), undefined);
    alerts.failed(tool, rest.not_found.fault(), undefined);
  }
  expect(reasons(told)).toEqual(["rest/upstream_auth a", "rest/route_missing a", "rest/route_missing b"]);
  expect(told[0]).toMatchObject({ severity: "critical", at: "1970-01-01T00:00:00.000Z" });
});

test("after a success it is told again", () => {
  const { told, alerts } = collected();
  const fail = (tool: string) => alerts.failed(tool, rest.upstream_forbidden.fault(), new Error("why"));
  for (const tool of ["a", "b"]) fail(tool);
  alerts.succeeded("a");
  for (const tool of ["a", "b"]) fail(tool);
  expect(reasons(told)).toEqual(["a", "b", "a"].map((tool) => `rest/upstream_forbidden ${tool}`));
});

test("what goes past the guard is told unless it is the caller's own", () => {
  const { told, alerts } = collected();
  alerts.relayed("a", rest.invalid_arguments.fault(), undefined);
  alerts.relayed("a", rest.not_found.fault(), undefined);
  alerts.relayed("a", rest.upstream_failed.fault(), undefined);
  expect(reasons(told)).toEqual(["rest/upstream_failed a"]);
});

test("a sink that fails breaks nothing, and none is needed", async () => {
  const failing = createAlerts(() => Promise.reject(new Error("down")), Date.now);
  failing.failed("a", core.misconfigured.fault(), undefined);
  const throwing = createAlerts(() => {
    throw new Error("down");
  }, Date.now);
  expect(() => throwing.failed("a", core.misconfigured.fault(), undefined)).not.toThrow();
  expect(() => createAlerts(undefined, Date.now).failed("a", core.misconfigured.fault(), undefined)).not.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
});

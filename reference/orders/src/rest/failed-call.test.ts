import { AdapterError } from "@recourse/bridge";
import { core, type Fault, FaultError, rest } from "@recourse/faults";
import { expect, test } from "vitest";
import { failedCall } from "./failed-call.ts";

const failed = (fault: Fault, body?: unknown) =>
  failedCall({ ok: false, fault, ...(body !== undefined && { raw: JSON.stringify(body) }) });

test("a failure that the service names is the declared one, with its values and its wait", () => {
  const fault = core.rate_limited.fault({}, { retry: { allowed: true, afterMs: 2_000 } });
  const error = failed(fault, { code: "TOO_MANY_ORDERS", params: { limit: 5 } });
  expect(AdapterError.is(error)).toBe(true);
  expect(error).toMatchObject({ identifier: "TOO_MANY_ORDERS", params: { limit: 5 }, retry: { afterMs: 2_000 } });
});

test("fields that the service refuses are the caller's", () => {
  const issues = [{ pointer: "/items/0/sku", rule: "choice" as const }];
  expect(failed(rest.invalid_arguments.fault({}, { issues }), { code: "INVALID" })).toMatchObject({
    fault: { reason: "core/validation_failed", issues },
  });
});

test("what the service does not offer the adapter does not either", () => {
  expect(failed(core.unsupported.fault())).toMatchObject({ fault: { reason: "adapter/not_implemented" } });
});

test.each([[undefined], [null], [{ code: 5 }], [{ code: "toString" }], [{ code: "SOMETHING_NEW" }], [[]]])(
  "an answer that names nothing known leaves it to the bridge: %j",
  (body) => {
    const fault = rest.upstream_failed.fault();
    const error = failed(fault, body);
    expect(FaultError.is(error) && error.fault).toEqual(fault);
  },
);

test("an answer that is no JSON leaves it to the bridge, too", () => {
  const fault = rest.upstream_failed.fault();
  expect(failedCall({ ok: false, fault, raw: "<html>" })).toMatchObject({ fault });
});

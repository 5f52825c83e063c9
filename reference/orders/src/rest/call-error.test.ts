import { AdapterError } from "@recourse/bridge";
import { type Fault, FaultError } from "@recourse/faults";
import { core, rest } from "@recourse/faults/reasons";
import { expect, test } from "vitest";
import { toCallError } from "./call-error.ts";

const failed = (fault: Fault, body?: unknown) =>
  toCallError({ ok: false, fault, ...(body !== undefined && { raw: JSON.stringify(body) }) });

test("a failure that the service names becomes the declared one, with its params and its wait", () => {
  const fault = core.rate_limited.fault({}, { retry: { allowed: true, afterMs: 2_000 } });
  const error = failed(fault, { code: "TOO_MANY_ORDERS", params: { limit: 5 } });
  expect(AdapterError.is(error)).toBe(true);
  expect(error).toMatchObject({ identifier: "TOO_MANY_ORDERS", params: { limit: 5 }, retry: { afterMs: 2_000 } });
});

test("fields that the service refuses are reported to the caller", () => {
  const issues = [{ pointer: "/items/0/sku", rule: "choice" as const }];
  expect(failed(rest.invalid_arguments.fault({}, { issues }), { code: "INVALID" })).toMatchObject({
    fault: { reason: "core/validation_failed", issues },
  });
});

test("an operation that the service does not offer is not implemented", () => {
  expect(failed(core.unsupported.fault())).toMatchObject({ fault: { reason: "adapter/not_implemented" } });
});

test.each([[undefined], [null], [{ code: 5 }], [{ code: "toString" }], [{ code: "SOMETHING_NEW" }], [[]]])(
  "a body without a declared failure keeps the fault of the bridge: %j",
  (body) => {
    const fault = rest.upstream_failed.fault();
    const error = failed(fault, body);
    expect(FaultError.is(error) && error.fault).toEqual(fault);
  },
);

test("a body that is not JSON keeps the fault of the bridge", () => {
  const fault = rest.upstream_failed.fault();
  expect(toCallError({ ok: false, fault, raw: "<html>" })).toMatchObject({ fault });
});

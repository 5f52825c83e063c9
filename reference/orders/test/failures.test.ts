// Every failure of the document, from a real cause, over both adapters, as the official clients and plain HTTP receive it.
import { onx } from "@recourse/dialects/onx";
import { detect } from "@recourse/faults/dialects";
import { expectNoLeak } from "@recourse/testing";
import { afterAll, describe, expect, test } from "vitest";
import type { AdapterName } from "../src/mcp/start.ts";
import { FAILURES } from "./failures/failures.ts";
import { provokeAll, tableOf } from "./failures/table.ts";
import { type ErrorResponse, OBSERVERS } from "./support/observers.ts";
import { createTestEnvironment, KEY } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());
const rows = await provokeAll(environment);

test("are those of the document, each over both adapters", () => {
  const codesOver = (adapter: AdapterName) =>
    new Set(rows.filter((row) => row.adapter === adapter).map(({ failure }) => failure.code));
  const standard = [2001, 2002, 2003, 3001, 3002, 4001, 4002, 5001];
  for (const adapter of ["postgres", "rest"] as const) expect([...codesOver(adapter)].toSorted()).toEqual(standard);
});

/** What holds for an adapter: one value for both, or one for each. */
function each<T extends string | boolean | undefined>(
  value: T | Readonly<Record<AdapterName, T>>,
  adapter: AdapterName,
): T {
  return typeof value === "object" ? value[adapter] : value;
}

describe.each(rows)("$failure.code over $adapter: $failure.cause ($failure.tool)", ({ adapter, failure, ...row }) => {
  const { code, details = {} } = failure;

  test.each(OBSERVERS)("in the result of the tool: %s", (observer) => {
    const { result } = row.observed[observer];
    expect(result).toMatchObject({ isError: true, error: { code, retryable: each(failure.retryable, adapter) } });
    expect(result?.error?.details ?? {}).toMatchObject(details);
    expect(result?.error?.details?.["suggestion"]).toMatch(/^[A-Z].*\.$/);
    if (failure.says !== undefined) expect(result?.content?.[0]?.text).toBe(failure.says);
    const { retryAfterMs } = (result?.error?.details?.["context"] ?? {}) as Record<string, unknown>;
    if (failure.waits === true) expect(retryAfterMs).toBeGreaterThan(0);
    expect(result?.error?.message).not.toBe("");
    expect(result?.content?.[0]?.text).toContain(result?.error?.message);
    // Only what the document's error object has.
    const members = Object.keys(result?.error ?? {}).filter((name) => name !== "details");
    expect(members).toEqual(["code", "message", "retryable"]);
  });
});

const kinds = rows.filter(({ failure }) => failure.kind !== undefined);
test.each(kinds)(
  "$failure.code over $adapter, as a client of Recourse reads it: $failure.cause",
  ({ failure, observed }) => {
    for (const observer of OBSERVERS) {
      expect(onx.decode(observed[observer])).toMatchObject({ kind: failure.kind });
      expect(detect(observed[observer])).toMatchObject({ dialect: "onx", fault: { kind: failure.kind } });
    }
  },
);

const reasoned = rows.filter(({ failure }) => failure.reason !== undefined);
test.each(reasoned)(
  "$failure.code over $adapter, whole in MCP's own dialect: $failure.cause",
  ({ adapter, failure, fault }) => {
    expect(fault).toMatchObject({ reason: each(failure.reason, adapter) });
  },
);

const told = rows.filter(({ service }) => service !== undefined);
test.each(told)("$failure.service.status of the service: $failure.cause ($failure.tool)", ({ failure, service }) => {
  expect(service).toMatchObject({ status: failure.service?.status, body: { code: failure.service?.code } });
});

test("both adapters give the same error, except where only one knows the effect", () => {
  for (const failure of FAILURES.filter(({ only, reason }) => only === undefined && typeof reason === "string")) {
    const [one, other] = rows
      .filter((row) => row.failure === failure)
      .map(({ observed }) => observed["v2 modern"].result?.error);
    expect(contextOf(other), failure.cause).toEqual(contextOf(one));
    expect({ ...other, message: "", details: 0 }).toEqual({ ...one, message: "", details: 0 });
  }
});

/** The context without what only one adapter knows, and without waits, which go by. */
function contextOf(error: ErrorResponse | undefined): Record<string, unknown> {
  const {
    timeoutMs: _known,
    retryAfterMs: _wait,
    ...shown
  } = (error?.details?.["context"] ?? {}) as Record<string, unknown>;
  return shown;
}

test("show nothing of the database, and no address of a customer", () => {
  const ports = [environment.databaseProxy.url, environment.serviceProxy.url].map((url) => `:${new URL(url).port}`);
  const secrets = [
    ...ports,
    KEY,
    "customer_order",
    "price_cents does not exist",
    "ECONNREFUSED",
    "NO_CARRIER",
    "eve@example.com",
  ];
  for (const { observed, fault } of rows) expectNoLeak([observed, fault], secrets);
});

test("failures of backends are reported, wrong arguments are not", () => {
  const reasons = new Set(environment.incidents.map(({ fault }) => fault.reason));
  for (const one of ["adapter/failed", "adapter/unavailable", "orders/order_inconsistent", "core/timeout"])
    expect(reasons).toContain(one);
  for (const one of ["tool/invalid_arguments", "core/validation_failed", "orders/order_not_found"])
    expect(reasons).not.toContain(one);
});

test("the table can be printed", () => {
  const lines = tableOf(rows).split("\n");
  expect(lines).toHaveLength(rows.length + 2);
  const same = Array(4).fill("4001 ORDER_NOT_FOUND, do not retry").join(" | ");
  expect(lines.find((line) => line.includes("| no such order | get_order | rest"))).toBe(
    `| 4001 ADAPTER_ERROR | no such order | get_order | rest | ${same} | 404 ORDER_NOT_FOUND | orders/order_not_found, none |`,
  );
});

import { expect, test } from "vitest";
import type { OrderBackend } from "../orders/backend.ts";
import { createService } from "./service.ts";

/** Nothing in here gets as far as a backend. */
const NO_BACKEND = {} as OrderBackend;
const failures: unknown[] = [];
const service = createService({ backend: NO_BACKEND, key: "right", onFailure: (thrown) => failures.push(thrown) });

const ask = async (path: string, { key = "right", ...init }: RequestInit & { readonly key?: string } = {}) => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await service(new Request(`http://server${path}`, { ...init, headers }));
  return { status: response.status, body: await response.json() };
};

test.each([
  ["/v1/orders/ORD-1001", { key: "wrong" }, 401, "NO_ACCESS"],
  ["/v1/orders/ORD-1001", { key: "" }, 401, "NO_ACCESS"],
  ["/v1/invoices", {}, 404, "NO_SUCH_ADDRESS"],
  ["/v1/orders/ORD-1001", { method: "DELETE" }, 405, "NO_SUCH_METHOD"],
  ["/v1/orders", { method: "POST", body: "{" }, 400, "BROKEN_BODY"],
  ["/v1/orders", { method: "POST", body: `"${"x".repeat(70_000)}"` }, 400, "BROKEN_BODY"],
  ["/v1/orders?customer=ada", {}, 422, "INVALID"],
  ["/v1/orders?customer=ada@example.com&limit=many", {}, 422, "INVALID"],
  ["/v1/orders/7", {}, 422, "INVALID"],
])("%s %j is %i", async (path, init, status, code) => {
  expect(await ask(path, init)).toMatchObject({ status, body: { code } });
});

test("a bug is reported to the operator only", async () => {
  expect(await ask("/v1/orders/ORD-1001")).toEqual({ status: 500, body: { code: "INTERNAL" } });
  expect(failures).toHaveLength(1);
});

import type { OperationSpan, Telemetry, TracedOperation } from "@recourse/core/telemetry";
import { expect, test } from "vitest";
import { answering, startCrm } from "./crm.ts";

test("a request to the API is an operation of its own, and continues the trace there", async () => {
  const seen: unknown[] = [];
  const telemetry: Telemetry = {
    run: <T>(operation: TracedOperation, work: (span: OperationSpan) => Promise<T>) => {
      const { address, ...rest } = operation;
      seen.push({ ...rest, host: address?.hostname });
      return work({
        context: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
        answered: (status) => seen.push(status),
        failed: ({ reason }) => seen.push(reason),
      });
    },
  };
  const { crm, upstream } = await startCrm(answering(503, { error: "busy" }), { telemetry });
  const outcome = await crm.call("getClient", { id: 7 });
  expect(outcome.ok).toBe(false);
  expect(seen).toEqual([
    { what: "http", side: "client", method: "GET", name: "/clients/{id}", host: "127.0.0.1" },
    503,
    "adapter/unavailable",
  ]);
  expect(upstream.hits.map(({ headers }) => headers["traceparent"])).toEqual([
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  ]);
});

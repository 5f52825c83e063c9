import type { OperationSpan, Telemetry, TracedOperation } from "@recourse/faults/telemetry";
import { answerJson, startUpstream, type TestUpstream } from "@recourse/test-kit/loopback";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openapi } from "../src/index.ts";

let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startUpstream((_, response) => answerJson(response, 503, { error: "busy" }));
});
afterAll(() => upstream.close());

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
  const document = {
    openapi: "3.1.0",
    info: { title: "Stock", version: "1.0.0" },
    servers: [{ url: upstream.url }],
    paths: {
      "/stock/{sku}": {
        get: {
          operationId: "get_stock",
          parameters: [{ name: "sku", in: "path", required: true, schema: { type: "string" } }],
          responses: { "200": { description: "The stock." } },
        },
      },
    },
  };
  const bridge = await openapi(document, { network: { allowPrivate: ["127.0.0.0/8"] }, telemetry });
  const outcome = await bridge.call("get_stock", { sku: "tea" });
  await bridge.close();
  expect(outcome.ok).toBe(false);
  expect(seen).toEqual([
    { what: "http", side: "client", method: "GET", name: "/stock/{sku}", host: "127.0.0.1" },
    503,
    "adapter/unavailable",
  ]);
  expect(upstream.hits.map(({ headers }) => headers["traceparent"])).toEqual([
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  ]);
});

// The client kit repeats a call with its key after the answer was lost.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { recourse } from "@recourse/faults/client";
import { expect, it, onTestFinished } from "vitest";
import { flakyProxy } from "../../../../reference/shared/src/testing/index.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";
import { ACME, keyed } from "./support/replicas.ts";

it("gets the stored outcome, and the call has run once", async () => {
  const gate = Promise.withResolvers<void>();
  const upstream = await startStubUpstream(async (request, response) => {
    await gate.promise;
    await answerWith(OK)(request, response);
  });
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)] }));
  const proxy = await flakyProxy(gateway.url.href);
  onTestFinished(() => proxy.close());
  const client = new Client({ name: "c", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const requestInit = { headers: { authorization: `Bearer ${ACME}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url), { requestInit }));
  onTestFinished(() => client.close());
  const call = recourse(client).call("up__echo", {}, { idempotencyKey: "order-7" });
  await expect.poll(() => upstream.received.length).toBe(1);
  proxy.disconnect();
  gate.resolve();
  proxy.reconnect();
  const outcome = await call;
  expect(outcome).toMatchObject({ ok: true, result: { content: [{ type: "text", text: "ok" }] } });
  expect(upstream.received).toHaveLength(1);
});

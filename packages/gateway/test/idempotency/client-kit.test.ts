// The client kit repeats a call with its key after the answer was lost.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { recourse } from "@recourse/core/client";
import type { DecisionRecord } from "@recourse/core/retry";
import { flakyProxy } from "@recourse/test-kit/network";
import { expect, it, onTestFinished } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";
import { ACME, keyed } from "./support/replicas.ts";

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: "c", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const requestInit = { headers: { authorization: `Bearer ${ACME}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

it("gets the stored outcome, and the call has run once", async () => {
  const gate = Promise.withResolvers<void>();
  const upstream = await startStubUpstream(async (request, response) => {
    await gate.promise;
    await answerWith(OK)(request, response);
  });
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)] }));
  const proxy = await flakyProxy(gateway.url.href);
  onTestFinished(() => proxy.close());
  const client = await connect(proxy.url);
  const call = recourse(client).call("up__echo", {}, { idempotencyKey: "order-7" });
  await expect.poll(() => upstream.received.length).toBe(1);
  proxy.disconnect();
  gate.resolve();
  proxy.reconnect();
  const outcome = await call;
  expect(outcome).toMatchObject({ ok: true, result: { content: [{ type: "text", text: "ok" }] } });
  expect(upstream.received).toHaveLength(1);
});

it("does not repeat a call whose key keeps the failure, and repeats it where the upstream honours the key", async () => {
  const upstream = await startStubUpstream((_, response) => void response.destroy());
  const decisions = async (honoursKeys: boolean, idempotencyKey: string) => {
    const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url, { honoursKeys })] }));
    const made: string[] = [];
    const onDecision = ({ decision }: DecisionRecord) => made.push(decision?.do === "stop" ? decision.why : "repeat");
    const mcp = recourse(await connect(gateway.url.href), {
      retry: { onDecision, breaker: false, policy: { baseMs: 1 } },
    });
    const outcome = await mcp.call("up__echo", {}, { idempotencyKey });
    expect(outcome).toMatchObject({ ok: false, fault: { effect: "possible" } });
    return made;
  };
  expect(await decisions(false, "order-8")).toEqual(["refused"]);
  expect(await decisions(true, "order-9")).toEqual(["repeat", "repeat", "attempts"]);
});

import { createServer } from "node:http";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { expect, test } from "vitest";
import { startGateway } from "../../src/gateway.ts";
import { recordingObserver } from "../catalog/support/calls.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho, post } from "../support/post.ts";
import { PING } from "../support/raw-socket.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";

test("a gateway does not start where its address is taken", async () => {
  const taken = await listenOnLoopback(createServer());
  const listen = { host: "127.0.0.1", port: Number(taken.url.port) };
  await expect(startGateway(testConfig({ listen }))).rejects.toThrow(/EADDRINUSE/);
  await taken.close();
});

test.each([{ bodyTimeoutMs: 0 }, { claimGraceMs: Number.NaN }])("a gateway does not start with %j", async (options) => {
  await expect(startGateway(testConfig(), options)).rejects.toThrow(RangeError);
});

test("a configuration that cannot be meant so is refused, and the one before goes on", async () => {
  const stub = await startStubUpstream();
  const upstreams = [httpUpstream(stub.url)];
  await expect(startGateway(testConfig({ upstreams, hosts: ["not a host"] }))).rejects.toThrow(/not a host/);
  const gateway = await startTestGateway({ upstreams });
  await expect(gateway.reload(testConfig({ upstreams, hosts: ["not a host"] }))).rejects.toThrow(/not a host/);
  expect((await callEcho(gateway.url)).json()).toMatchObject({ result: { content: [{ text: "ok" }] } });
});

test("an upstream that did not change is not connected to again when the configuration changes", async () => {
  const stub = await startStubUpstream();
  const upstreams = [httpUpstream(stub.url, { era: "auto" })];
  const gateway = await startTestGateway({ upstreams });
  const handshakes = () => stub.prepared.filter((method) => method === "server/discover").length;
  await callEcho(gateway.url);
  expect(handshakes()).toBe(1);
  await gateway.reload(testConfig({ upstreams, deadlineMs: 5_000 }));
  await callEcho(gateway.url);
  expect(handshakes()).toBe(1);
  await gateway.reload(testConfig({ upstreams: [httpUpstream(stub.url, { era: "auto", timeoutMs: 9_000 })] }));
  await callEcho(gateway.url);
  expect(handshakes()).toBe(2);
});

test("a gateway is ready once every upstream was asked, whether or not it answered", async () => {
  const gateway = await startTestGateway({ upstreams: [httpUpstream("http://127.0.0.1:9/mcp")] });
  const ready = async () => (await fetch(new URL("/ready", gateway.url))).status;
  await expect.poll(ready).toBe(200);
  expect((await post(gateway.url, PING)).status).toBe(200);
});

test("a reload keeps the running values of what can change only at a start", async () => {
  const free = await listenOnLoopback(createServer());
  await free.close();
  const jwt = {
    issuer: "https://issuer.example",
    audience: "gateway",
    jwksUrl: "http://127.0.0.1:9/jwks",
    tenantClaim: "tenant",
    entitlementsClaim: undefined,
    tools: ["*"],
    dialect: undefined,
  };
  const listen = { host: "127.0.0.1", port: Number(free.url.port) };
  const lines: unknown[] = [];
  const { observer } = recordingObserver();
  const log = (...line: unknown[]) => void lines.push(line);
  const gateway = await startTestGateway({ listen, jwt }, { observer: { ...observer, log } });
  await gateway.reload(testConfig({ listen: { host: "127.0.0.1", port: 1 }, name: "renamed", jwt, drainMs: 0 }));
  const metadata = await fetch(new URL("/.well-known/oauth-protected-resource", gateway.url));
  expect(await metadata.json()).toMatchObject({ resource: gateway.url.href, resource_name: "renamed" });
  expect(lines).toContainEqual(["warn", "Some changes count only after a restart.", { needsRestart: ["listen"] }]);
});

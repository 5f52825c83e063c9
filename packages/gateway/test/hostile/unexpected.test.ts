// Exceptions that nobody expected: each costs at most one call, is logged and counted, and the gateway goes on and can be closed.
import { describe, expect, it, onTestFinished } from "vitest";
import type { Observer } from "../../src/call/observer.ts";
import { createObserver } from "../../src/telemetry/create-observer.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho, callTool } from "../support/post.ts";
import { sendJson, startStubUpstream } from "../support/stub-upstream.ts";

/** Collects what would end a process without a listener. */
function uncaught(): unknown[] {
  const found: unknown[] = [];
  const others = process.listeners("unhandledRejection");
  const note = (error: unknown) => void found.push(error);
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", note);
  onTestFinished(() => {
    process.off("unhandledRejection", note);
    for (const one of others) process.on("unhandledRejection", one);
  });
  return found;
}

const boom = (): never => {
  throw new Error("boom");
};

/** An observer with every method broken, that notes only what it is told of exceptions. */
function brokenObserver(): { readonly observer: Observer; readonly told: string[] } {
  const told: string[] = [];
  const observer: Observer = {
    began: boom,
    traceparent: boom,
    ended: boom,
    switched: boom,
    breaker: boom,
    log: boom,
    unexpected: (error, where) => void told.push(`${where}: ${String(error)}`),
    sink: boom,
    metrics: () => Promise.reject(new Error("boom")),
    close: () => Promise.reject(new Error("boom")),
  };
  return { observer, told };
}

describe("an observer that throws", () => {
  it("when a call has ended, costs nothing", async () => {
    const lost = uncaught();
    const upstream = await startStubUpstream();
    const { observer, unexpected } = realObserver();
    const changes = { upstreams: [httpUpstream(upstream.url)] };
    const gateway = await startTestGateway(changes, { observer: { ...observer, ended: boom } });
    expect((await callEcho(gateway.url)).status).toBe(200);
    expect((await callEcho(gateway.url)).status).toBe(200);
    await gateway.close();
    expect(lost).toEqual([]);
    expect(unexpected()).toMatchObject([{ where: "observer.ended" }, { where: "observer.ended" }]);
  });

  it("costs no call its answer, and the gateway can be closed", async () => {
    const lost = uncaught();
    const upstream = await startStubUpstream();
    const { observer, told } = brokenObserver();
    const gateway = await startTestGateway({ upstreams: [httpUpstream(upstream.url)] }, { observer });
    for (let call = 0; call < 20; call += 1) expect((await callEcho(gateway.url)).status).toBe(200);
    await gateway.close();
    expect(lost).toEqual([]);
    expect(told.filter((one) => one === "observer.ended: Error: boom")).toHaveLength(20);
    expect(told).toContain("observer.close: Error: boom");
  });

  it("may even fail to be told of it", async () => {
    const lost = uncaught();
    const upstream = await startStubUpstream();
    const observer = { ...brokenObserver().observer, unexpected: boom };
    const gateway = await startTestGateway({ upstreams: [httpUpstream(upstream.url)] }, { observer });
    expect((await callEcho(gateway.url)).status).toBe(200);
    await gateway.close();
    expect(lost).toEqual([]);
  });
});

/** The real observer, with its lines. */
function realObserver() {
  const lines: { readonly message: string; readonly where?: string; readonly level: string }[] = [];
  const config = testConfig({ telemetry: { otlp: undefined, prometheus: true, logLevel: "error" } });
  const observer = createObserver(config, { writeLine: (line) => void lines.push(JSON.parse(line)) });
  return { observer, unexpected: () => lines.filter(({ message }) => message.startsWith("Unexpected exception")) };
}

it.each([
  ["throws", boom],
  ["rejects", () => Promise.reject(new Error("boom"))],
])("a sink that %s is logged and counted, and the caller gets its answer", async (_, sink) => {
  const lost = uncaught();
  const upstream = await startStubUpstream((_request, response) => sendJson(response, "oops", 500));
  const { observer, unexpected } = realObserver();
  const gateway = await startTestGateway({ upstreams: [httpUpstream(upstream.url)] }, { observer, sink });
  expect((await callTool(gateway.url, "echo")).text).toContain("transport/http_failed");
  await expect.poll(unexpected).toMatchObject([{ level: "error", where: "sink of incidents" }]);
  expect(await observer.metrics()).toContain('recourse_gateway_unexpected_total{where="sink of incidents"} 1');
  expect(lost).toEqual([]);
});

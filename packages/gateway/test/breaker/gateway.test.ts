import { eventually } from "@recourse/test-kit/eventually";
import { beforeEach, describe, expect, it } from "vitest";
import type { GatewayConfig } from "../../src/config/types.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { callEcho, callTool, MODERN_META, modernHeaders, post } from "../support/post.ts";
import { answerWith, OK, type StubAnswer, sendJson, startStubUpstream } from "../support/stub-upstream.ts";

beforeEach(holdTime);

const BREAKER = { failures: 5, pauseMs: 60_000, maxPauseMs: 60_000 };
const TELEMETRY = { otlp: undefined, prometheus: true, logLevel: "silent" } as const;

const failing: StubAnswer = (_, response) => void response.writeHead(500).end();
const refusing: StubAnswer = ({ id }, response) =>
  sendJson(
    response,
    `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","isError":true,"content":[{"type":"text","text":"HTTP 404: no such order"}]}}`,
  );

/** A gateway before a stub whose answers the test changes. */
async function world(
  changes: Partial<GatewayConfig> = {},
  timeoutMs = 30_000,
  onIncident: (reason: string) => void = () => {},
) {
  let answer: StubAnswer = answerWith(OK);
  const stub = await startStubUpstream((request, response) => answer(request, response), ["echo", "pay"]);
  const gateway = await startTestGateway(
    {
      breaker: BREAKER,
      telemetry: TELEMETRY,
      upstreams: [httpUpstream(stub.url, { timeoutMs })],
      ...changes,
    },
    { sink: ({ fault }) => onIncident(fault.reason) },
  );
  return {
    gateway,
    stub,
    /** Waits until so many calls have arrived. */
    arrived: (count: number) => eventually(() => expect(stub.received).toHaveLength(count)),
    answerBy(next: StubAnswer) {
      answer = next;
    },
    /** Makes calls one after the other, and gives the reasons of their faults. */
    async call(count: number) {
      const reasons: (string | undefined)[] = [];
      for (let at = 0; at < count; at++) reasons.push(faultOf(await callEcho(gateway.url))?.reason);
      return reasons;
    },
  };
}

interface SentFault {
  readonly reason: string;
  readonly effect: string;
  readonly retry?: { readonly allowed: boolean; readonly afterMs?: number };
  readonly origin: object;
}

/** The fault in an answer. */
function faultOf({ text }: { readonly text: string }): SentFault | undefined {
  const { result, error } = JSON.parse(text);
  return (result?._meta ?? error?.data)?.["recourse/fault"] ?? error?.data;
}

describe("a gateway before an upstream that fails", () => {
  it("asks no more after five failures, and says so with the true wait", async () => {
    const { gateway, stub, call, answerBy } = await world();
    answerBy(failing);
    await call(5);
    expect(stub.received).toHaveLength(5);
    const refused = faultOf(await callEcho(gateway.url));
    expect(refused).toMatchObject({
      kind: "unavailable",
      reason: "transport/breaker_open",
      effect: "none",
      origin: { layer: "gateway", name: "test-gateway" },
      retry: { allowed: true },
    });
    expect(refused?.retry?.afterMs).toBeGreaterThanOrEqual(30_000);
    expect(refused?.retry?.afterMs).toBeLessThanOrEqual(60_000);
    expect(stub.received).toHaveLength(5);
    expect(faultOf(await callTool(gateway.url, "pay"))?.reason).toBe("transport/http_failed");
    const text = await (await fetch(new URL("/metrics", gateway.url))).text();
    expect(text).not.toMatch(/recourse_breaker_state\{recourse_upstream="up"\} 2/);
  });

  it("asks nothing of an upstream that cannot be reached", async () => {
    const { gateway, stub, call } = await world();
    expect(await call(1)).toEqual([undefined]);
    await stub.close();
    // A connection that was open is lost first; what counts is that none can be made.
    await eventually(async () => expect(await call(1)).toEqual(["transport/breaker_open"]));
    expect(faultOf(await callTool(gateway.url, "pay"))).toMatchObject({ reason: "transport/breaker_open" });
    const text = await (await fetch(new URL("/metrics", gateway.url))).text();
    expect(text).toMatch(/recourse_breaker_state\{recourse_upstream="up"\} 2/);
  });

  it("gives a probe the time of the upstream, whatever its caller has", async () => {
    const { gateway, call, arrived, answerBy } = await world();
    answerBy(failing);
    await call(5);
    const gate = Promise.withResolvers<void>();
    answerBy(async (request, response) => {
      await gate.promise;
      await answerWith(OK)(request, response);
    });
    await pass(60_000);
    const hurried = callTool(gateway.url, "echo", { deadlineMs: 40 });
    await arrived(6);
    await pass(40);
    expect(faultOf(await hurried)).toMatchObject({ reason: "core/timeout", effect: "possible" });
    // The probe is still under way: no other call becomes one.
    expect(await call(1)).toEqual(["transport/breaker_open"]);
    gate.resolve();
    await eventually(async () => expect(await call(1)).toEqual([undefined]));
    await arrived(7);
  });

  it("reports that it asks no more, once, and not each call that it refuses", async () => {
    const incidents: string[] = [];
    const { call, answerBy } = await world({}, 30_000, (reason) => incidents.push(reason));
    answerBy(failing);
    await call(8);
    expect(incidents).toEqual([...Array(5).fill("transport/http_failed"), "transport/breaker_open"]);
  });

  it("still answers lists", async () => {
    const { gateway, call, answerBy } = await world();
    answerBy(failing);
    await call(6);
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{${MODERN_META}}}}`;
    const { status, text } = await post(gateway.url, body, modernHeaders("tools/list"));
    expect([status, text.includes("up__echo")]).toEqual([200, true]);
  });

  it("sends one probe after the pause, and goes on when it succeeds", async () => {
    const { stub, call, answerBy } = await world();
    answerBy(failing);
    await call(5);
    answerBy(answerWith(OK));
    expect(await call(1)).toEqual(["transport/breaker_open"]);
    await pass(60_000);
    expect(await call(1)).toEqual([undefined]);
    expect(stub.received).toHaveLength(6);
    expect(await call(3)).toEqual([undefined, undefined, undefined]);
  });

  it("does not count what blames the call, nor the deadlines of callers", async () => {
    const { gateway, stub, call, arrived, answerBy } = await world();
    answerBy(refusing);
    await call(6);
    expect(stub.received).toHaveLength(6);
    answerBy(() => {});
    for (let at = 1; at <= 6; at++) {
      const hurried = callTool(gateway.url, "echo", { deadlineMs: 30 });
      await arrived(6 + at);
      await pass(30);
      expect(faultOf(await hurried)?.reason).toBe("core/timeout");
    }
    answerBy(answerWith(OK));
    expect(await call(1)).toEqual([undefined]);
  });

  it("counts the time-outs of the upstream itself", async () => {
    const { call, arrived, answerBy } = await world({ breaker: { ...BREAKER, failures: 2 } }, 400);
    expect(await call(1)).toEqual([undefined]);
    answerBy(() => {});
    for (const count of [2, 3]) {
      const late = call(1);
      await arrived(count);
      await pass(400);
      expect(await late).toEqual(["core/timeout"]);
    }
    expect(await call(1)).toEqual(["transport/breaker_open"]);
  });

  it("has no breakers where they are off", async () => {
    const { stub, call, answerBy } = await world({ breaker: undefined });
    answerBy(failing);
    await call(8);
    expect(stub.received).toHaveLength(8);
  });
});

it("what may have been received is never sent again", async () => {
  const { gateway, stub, answerBy } = await world();
  await callEcho(gateway.url);
  // On a new connection, and on one that was used before.
  for (const expected of [2, 3]) {
    answerBy((_, response) => void response.socket?.resetAndDestroy());
    expect(faultOf(await callEcho(gateway.url))).toMatchObject({
      reason: "transport/connection_lost",
      effect: "possible",
    });
    expect(stub.received).toHaveLength(expected);
  }
});

// Held calls outlive a configuration, end with the gateway, and leave nothing behind.
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ACME, keyed } from "../idempotency/support/replicas.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass, passUntil } from "../support/held-time.ts";
import { usedBytes } from "../support/used-bytes.ts";
import { startAsker } from "./asking-server.ts";
import { askedIn, call, faultOf, holdAskingTime, ROME, textIn, until } from "./support.ts";

type Changes = Parameters<typeof keyed>[0];

async function world(changes: Changes = {}, upstream: object = {}) {
  const server = await startAsker("v1");
  onTestFinished(() => server.close());
  const upstreams = [httpUpstream(server.url, { era: "2025-11-25", ...upstream })];
  const config = testConfig({ drainMs: 0, ...keyed({ upstreams, ...changes }) });
  const gateway = await startTestGateway(config);
  return { server, gateway, config, url: gateway.url };
}

const ANSWER = `{"q1":${ROME}}`;

describe("a held call", () => {
  beforeEach(holdAskingTime);

  it("goes on after the configuration was read again", async () => {
    const { gateway, config, url } = await world();
    const { state } = askedIn(await call(url));
    await gateway.reload({ ...config, name: "another" });
    expect(textIn(await call(url, { state, responses: ANSWER }))).toContain("Rome");
  });

  it("goes on to its end also where its upstream was taken out of the configuration, and nobody comes with answers", async () => {
    const { server, gateway, config, url } = await world({ questions: { waitMs: 400 } });
    const { state } = askedIn(await call(url));
    await gateway.reload({ ...config, upstreams: [] });
    const refused = faultOf(await call(url, { state, responses: ANSWER }));
    expect(refused).toMatchObject({ reason: "tool/not_found" });
    expect(server.answers).toEqual([]);
    await pass(400);
    await until(() => server.answers.length === 1);
  });

  it("does not keep the gateway from closing", async () => {
    const { server, gateway, url } = await world();
    askedIn(await call(url, { tool: "slow" }));
    await gateway.close();
    await until(() => server.answers.length + server.cancelled.length > 0);
  });

  it("counts as a call under way until it has ended", async () => {
    const { url } = await world({}, { maxCalls: 2 });
    const first = askedIn(await call(url));
    const second = askedIn(await call(url));
    // It waits for its turn until its deadline, which passes for real.
    const third = faultOf(await call(url, { deadlineMs: 300 }));
    expect(third).toMatchObject({ reason: "core/rate_limited", effect: "none" });
    expect(textIn(await call(url, { state: first.state, responses: ANSWER }))).toContain("Rome");
    askedIn(await call(url));
    expect(textIn(await call(url, { state: second.state, responses: ANSWER }))).toContain("Rome");
  });

  it("can be the probe of a breaker, which closes by it", async () => {
    const breaker = { failures: 1, pauseMs: 60_000, maxPauseMs: 60_000 };
    const { server, url } = await world({ breaker }, { timeoutMs: 1_000 });
    const slow = { tool: "slow" };
    const lost = askedIn(await call(url, slow));
    const leg = call(url, { ...slow, state: lost.state, responses: ANSWER });
    await until(() => server.slow.length === 1);
    await pass(1_000);
    expect(faultOf(await leg)).toMatchObject({ kind: "timeout" });
    expect(faultOf(await call(url, slow))).toMatchObject({ reason: "transport/breaker_open" });
    await pass(90_000);
    const { state } = askedIn(await call(url, slow));
    // The time of a person is not that of the probe.
    await pass(60_000);
    const probe = call(url, { ...slow, state, responses: ANSWER });
    await until(() => server.slow.length === 2);
    server.slow[1]?.();
    expect(textIn(await probe)).toBe("slow and done");
    expect(Object.keys(askedIn(await call(url, slow)).requests)).toHaveLength(1);
  });
});

it("a forged state costs no share and asks nobody", async () => {
  const { server, url } = await world();
  const forged = `h1.9999999999.${"0".repeat(64)}.abc.def.${"A".repeat(43)}`;
  for (const state of [forged, "h1.", `h1.${"9".repeat(100_000)}`]) {
    expect(faultOf(await call(url, { tool: "pay", args: '{"to":"X"}', state, responses: ANSWER }))).toMatchObject({
      reason: "protocol/request_state_invalid",
      effect: "none",
    });
  }
  expect(server.paid).toEqual([]);
});

it("a caller of the older era cannot go on with a held call", async () => {
  const { server, url } = await world();
  const { state } = askedIn(await call(url));
  const params = `{"name":"up__ask","arguments":{},"inputResponses":${ANSWER},"requestState":${JSON.stringify(state)}}`;
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      authorization: `Bearer ${ACME}`,
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
  });
  expect(await response.text()).toContain("protocol/request_state_invalid");
  expect(server.answers).toEqual([]);
  expect(textIn(await call(url, { state, responses: ANSWER }))).toContain("Rome");
});

it("calls that end before their caller was asked leave nothing behind, and answer themselves", async () => {
  // No question is asked before its time has passed, however late the answer is.
  holdTime();
  const { url } = await world();
  for (let at = 0; at < 22; at++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(url, { tool: "hasty" })));
    for (const answer of answers) expect(textIn(answer)).toBe("done without an answer");
  }
  // More of them would have filled the place for held calls.
  askedIn(await passUntil(call(url)));
}, 120_000);

it("a thousand held calls leave nothing behind", async () => {
  const { server, url } = await world({}, {});
  const round = async () => {
    const asked = await Promise.all(Array.from({ length: 50 }, () => call(url)));
    const done = await Promise.all(asked.map((one) => call(url, { state: askedIn(one).state, responses: ANSWER })));
    for (const one of done) expect(textIn(one)).toContain("Rome");
  };
  for (let at = 0; at < 3; at++) await round();
  const before = settledBytes();
  for (let at = 0; at < 17; at++) await round();
  expect(server.answers).toHaveLength(1_000);
  server.answers.length = 0;
  expect(settledBytes() - before).toBeLessThan(12_000_000);
}, 120_000);

/** The memory in use. Buffers that nobody refers to are still counted the first time. */
function settledBytes(): number {
  usedBytes();
  return usedBytes();
}

import { createHash } from "node:crypto";
import { expectCost } from "@recourse/test-kit/yardstick";
import { beforeEach, expect, test } from "vitest";
import type { GatewayConfig } from "../../src/config/types.ts";
import type { Gateway } from "../../src/gateway.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { MODERN_META, modernHeaders, post, type RawAnswer } from "../support/post.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";

// No token comes back, and no pause ends.
beforeEach(holdTime);

const MiB = 1_024 * 1_024;
const JSON_TYPE = { "content-type": "application/json" };

const keyOf = (id: string) => ({
  id,
  tenant: id,
  sha256: createHash("sha256").update(`rk_${id}`).digest("hex"),
  tools: ["*"],
  scopes: [],
  entitlements: [],
  dialect: undefined,
});

/** A gateway for two callers, each with ten tokens that do not come back. */
async function startLimited(changes: Partial<GatewayConfig> = {}): Promise<Gateway> {
  const stub = await startStubUpstream(answerWith(OK));
  return startTestGateway({
    upstreams: [httpUpstream(stub.url)],
    authentication: "required",
    keys: [keyOf("hostile"), keyOf("honest")],
    limits: {
      address: undefined,
      key: { perSecond: 0.01, burst: 10 },
      tenant: undefined,
      cost: undefined,
      tools: [],
      mode: "leased",
    },
    ...changes,
  });
}

const as = (id: string, headers: Readonly<Record<string, string>> = JSON_TYPE) => ({
  ...headers,
  authorization: `Bearer rk_${id}`,
});

function callAs(id: string, { url }: Gateway, tool = "echo", deadlineMs = 5_000): Promise<RawAnswer> {
  const meta = `{${MODERN_META},"recourse/call":{"id":"c","attempt":1,"deadlineMs":${deadlineMs}}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"up__${tool}","arguments":{},"_meta":${meta}}}`;
  return post(url, body, as(id, modernHeaders("tools/call", `up__${tool}`)));
}

async function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let turn = 0; turn < count; turn++) all.push(await work());
  return all;
}

const statusesOf = (answers: readonly RawAnswer[]) => answers.map(({ status }) => status);

test("a message is refused for its depth before it is parsed", async () => {
  const gateway = await startTestGateway();
  const half = 2 * MiB - 100;
  const deep = `{"jsonrpc":"2.0","id":"d","method":"ping","params":{"a":${"[".repeat(half)}${"]".repeat(half)}}}`;
  await expectCost({
    async work() {
      const answer = await post(gateway.url, deep);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ id: "d", error: { code: -32600 } });
      expect(answer.text).toContain("nested at most 64 levels deep");
    },
    yardstick: () => JSON.parse(deep),
    // With the parse, it would take that and the request.
    atMost: 1,
  });
});

test.each([
  ["no JSON", (gateway: Gateway) => post(gateway.url, "{", as("hostile")), 400],
  ["no UTF-8", (gateway: Gateway) => post(gateway.url, Buffer.from([0x22, 0xff, 0x22]), as("hostile")), 400],
  ["a batch", (gateway: Gateway) => post(gateway.url, "[1,2,3]", as("hostile")), 400],
  ["a deep message", (gateway: Gateway) => post(gateway.url, "[".repeat(2_000), as("hostile")), 400],
  ["a body that is too large", (gateway: Gateway) => post(gateway.url, " ".repeat(20_000), as("hostile")), 413],
  ["a tool that is not there", (gateway: Gateway) => callAs("hostile", gateway, "nothing"), 200],
  ["a call without time", (gateway: Gateway) => callAs("hostile", gateway, "echo", 0), 200],
  [
    "a large message that the gateway answers itself",
    (gateway: Gateway) =>
      post(
        gateway.url,
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${"x".repeat(17_000)}"}}`,
        as("hostile"),
      ),
    200,
  ],
] as const)("%s costs its caller a token, and nobody else", async (_, send, status) => {
  const gateway = await startLimited({ maxRequestBytes: 18_000 });
  await callAs("honest", gateway);
  const first = await times(10, () => send(gateway));
  expect(statusesOf(first)).toEqual(Array(10).fill(status));
  expect(first.filter(({ text }) => text.includes("core/rate_limited"))).toEqual([]);
  const refused = await send(gateway);
  expect(refused.text).toContain('"policy":"key"');
  expect((await callAs("hostile", gateway)).text).toContain("core/rate_limited");
  const honest = await times(9, () => callAs("honest", gateway));
  expect(honest.filter(({ text }) => !text.includes(OK.slice(1, -1)))).toEqual([]);
});

test("who has used up its limit is not read any more", async () => {
  const gateway = await startLimited();
  await times(11, () => post(gateway.url, "{", as("hostile")));
  const costly = `[${"[],".repeat(MiB)}1]`;
  await expectCost({
    async work() {
      const answers = await times(3, () => post(gateway.url, costly, as("hostile")));
      expect(statusesOf(answers)).toEqual([429, 429, 429]);
    },
    yardstick() {
      for (let turn = 0; turn < 3; turn++) JSON.parse(costly);
    },
    atMost: 0.5,
  });
});

test("a large message costs more, so that limits bound what reading costs", async () => {
  const gateway = await startLimited();
  const large = `[${"1,".repeat(160 * 1_024)}1]`;
  const answers = await times(3, () => post(gateway.url, large, as("hostile")));
  expect(statusesOf(answers)).toEqual([400, 429, 429]);
  // Larger than all tokens together: it takes them all.
  const huge = await times(2, () => post(gateway.url, `[${"1,".repeat(MiB)}1]`, as("honest")));
  expect(statusesOf(huge)).toEqual([400, 429]);
});

test("small messages that the gateway answers itself cost nothing", async () => {
  const gateway = await startLimited();
  const ping = () => post(gateway.url, '{"jsonrpc":"2.0","id":1,"method":"ping"}', as("honest"));
  expect(statusesOf(await times(30, ping))).toEqual(Array(30).fill(200));
  expect((await callAs("honest", gateway)).status).toBe(200);
});

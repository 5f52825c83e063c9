// Answers and arguments that are as hard to filter as their authors can make them: what one failed call costs, over real
// connections, compared with an ordinary one.
import { createHash } from "node:crypto";
import { registerSecrets } from "@recourse/core";
import { expectCost } from "@recourse/test-kit/yardstick";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";
import { sendJson, startStubUpstream } from "../support/stub-upstream.ts";

const KEY = "caller-key-0123456789abcdef";
/** So many calls are measured together: what the gateway filters in full for one caller without a pause. */
const CALLS = 5;
/** What such a failure costs beside an ordinary one, at most. */
const AT_MOST = 25;

beforeAll(() => registerSecrets("another-secret-0123456789"));
beforeEach(holdTime);

/** Calls of a tool that fails in this way. */
interface Failing {
  /** Makes some calls, and gives the last answer. */
  calls(): Promise<string>;
}

async function failing(failure: (args: string) => object, args: object): Promise<Failing> {
  const upstream = await startStubUpstream(({ id, text }, response) => {
    const { params } = JSON.parse(text) as { params: { arguments: { q?: string } } };
    sendJson(response, JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(id), ...failure(params.arguments.q ?? "") }));
  });
  const sha256 = createHash("sha256").update(KEY).digest("hex");
  const key = { id: "k1", tenant: "acme", sha256, tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
  const credential = { kind: "bearer", token: "upstream-secret-93f2a1c07d" } as const;
  const gateway = await startTestGateway({
    authentication: "required",
    keys: [key],
    upstreams: [httpUpstream(upstream.url, { credential })],
    incidents: { keepMs: 60_000, samplesPerMinute: 1_000, callers: "keep", texts: "keep" },
  });
  const params = `{"name":"up__echo","arguments":${JSON.stringify(args)},"_meta":{${MODERN_META}}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  const headers = { ...modernHeaders("tools/call", "up__echo"), authorization: `Bearer ${KEY}` };
  return {
    async calls() {
      let text = "";
      for (let made = 0; made < CALLS; made++) ({ text } = await post(gateway.url, body, headers));
      // A caller with many long failures is shown short texts for a while.
      await pass(10_000);
      return text;
    },
  };
}

/** Compares what the calls cost, in the gateway, the upstream and the caller, which are one process here. Gives an answer. */
async function expectCheap(hostile: Failing): Promise<string> {
  const ordinary = await failing((sent) => ({ error: { code: -32603, message: `Failed at ${sent}` } }), { q: "hello" });
  // What runs for the first time is slow.
  for (let turn = 0; turn < 2; turn++) expect(await ordinary.calls()).toContain("Failed at hello");
  const text = await hostile.calls();
  await expectCost({ work: hostile.calls, yardstick: ordinary.calls, atMost: AT_MOST });
  return text;
}

const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

test.each([
  ["words", "hello world "],
  ["the key of the caller", `${KEY} `],
  ["the key of the caller in hex", `${Buffer.from(KEY).toString("hex")} `],
  ["the key of the caller in base64", `${btoa(KEY)} `],
  ["addresses of e-mail", "a@b.example "],
  ["numbers of cards", "4111111111111111 "],
  ["escapes that are no UTF-8", "e\u0301%e9"],
])("an argument of 4 KB with %s that comes back in the error is cheap", async (_, unit) => {
  const hostile = await failing((sent) => ({ error: { code: -32603, message: `Failed at ${sent}` } }), {
    q: fill(unit, 4_096),
  });
  expect(await expectCheap(hostile)).not.toContain(KEY);
});

/** A fault with as many texts as the contract has room for. */
function forged(unit: string): object {
  const texts = (count: number, length: number) => Array.from({ length: count }, () => fill(unit, length));
  const own = {
    v: 1,
    kind: "invalid_input",
    class: "validation",
    reason: "x/y",
    message: fill(unit, 240),
    effect: "none",
    origin: { layer: "server" },
    basis: "stated",
    params: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, texts(10, 70)])),
    quote: { text: fill(unit, 4_000), from: "peer" },
    recourse: [{ do: "fix_input", candidates: texts(10, 64), fields: texts(10, 200).map((text) => `/${text}`) }],
    issues: Array.from({ length: 20 }, () => ({
      pointer: fill("/a", 200),
      rule: "unknown",
      expected: fill(unit, 120),
      suggestion: fill(unit, 120),
      keys: texts(10, 64),
    })),
  };
  return { ...own, cause: { ...own, cause: { ...own, cause: own } } };
}

test.each(["`", "eyJ", "YWJjZGVmZ2hpamts", "/etc/", "ﬃ", "%2561", "a"])(
  "a forged fault full of %j is cheap, also where the caller sent the same",
  async (unit) => {
    const sent = Array.from({ length: 90 }, (_, at) => fill(unit, at + 3));
    const content = [{ type: "text", text: "no" }];
    const result = { resultType: "complete", isError: true, content, _meta: { "recourse/fault": forged(unit) } };
    expect(await expectCheap(await failing(() => ({ result }), { sent }))).toContain("invalid_input");
  },
);

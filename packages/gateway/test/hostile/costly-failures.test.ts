// Answers and arguments that are as hard to filter as their authors can make them: what one failed call costs, over real
// connections. The bounds leave room for busy machines and for code that is not compiled yet.
import { createHash } from "node:crypto";
import { registerSecrets } from "@recourse/faults";
import { beforeAll, expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";
import { sendJson, startStubUpstream } from "../support/stub-upstream.ts";

const KEY = "caller-key-0123456789abcdef";
const CALLS = 10;
/** CPU of one call, in the gateway, the upstream and the caller, which are one process here. */
const BOUND_MS = 100;

beforeAll(() => registerSecrets("another-secret-0123456789"));

/** CPU time of a call in ms, once it was made a few times. */
async function costOf(failure: (args: string) => object, args: object): Promise<{ ms: number; text: string }> {
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
  const call = () => post(gateway.url, body, headers);
  for (let made = 0; made < 3; made++) await call();
  const from = process.cpuUsage();
  for (let made = 0; made < CALLS; made++) await call();
  const { user, system } = process.cpuUsage(from);
  return { ms: (user + system) / 1_000 / CALLS, text: (await call()).text };
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
  const { ms, text } = await costOf((sent) => ({ error: { code: -32603, message: `Failed at ${sent}` } }), {
    q: fill(unit, 4_096),
  });
  expect(ms).toBeLessThan(BOUND_MS);
  expect(text).not.toContain(KEY);
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
    const { ms, text } = await costOf(() => ({ result }), { sent });
    expect(ms).toBeLessThan(BOUND_MS);
    expect(text).toContain("invalid_input");
  },
);

import { createHash } from "node:crypto";
import { Agent, request } from "undici";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { PING } from "../support/raw-socket.ts";

// No token comes back.
beforeEach(holdTime);

const LIMITS = { key: undefined, tenant: undefined, cost: undefined, tools: [], mode: "leased" } as const;

/** Sends requests from an address of this machine. */
function clientFrom(localAddress: string) {
  const dispatcher = new Agent({ localAddress });
  onTestFinished(() => dispatcher.close());
  return async (url: URL, headers: Readonly<Record<string, string>>): Promise<number> => {
    const method = url.pathname === "/mcp" ? "POST" : "GET";
    const answer = await request(url, {
      dispatcher,
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "POST" && { body: PING }),
    });
    await answer.body.dump();
    return answer.statusCode;
  };
}

async function statuses(times: number, send: () => Promise<number>): Promise<number[]> {
  const all = [];
  for (let turn = 0; turn < times; turn++) all.push(await send());
  return all;
}

const countOf = (all: readonly number[], status: number) => all.filter((one) => one === status).length;

test("behind a proxy, a caller that floods uses up its own limit and nobody else's", async () => {
  const gateway = await startTestGateway({
    proxies: ["127.0.0.1"],
    limits: { ...LIMITS, address: { perSecond: 0.01, burst: 20 } },
  });
  const proxy = clientFrom("127.0.0.1");
  const flood = await statuses(100, () => proxy(gateway.url, { "x-forwarded-for": "203.0.113.66" }));
  expect(countOf(flood, 200)).toBe(20);
  const honest = [];
  for (let no = 1; no <= 10; no++)
    honest.push(...(await statuses(5, () => proxy(gateway.url, { forwarded: `for=198.51.100.${no}` }))));
  expect(countOf(honest, 429)).toBe(0);
});

test("what a stranger says about its address is not believed", async () => {
  const gateway = await startTestGateway({
    proxies: ["127.0.0.1"],
    limits: { ...LIMITS, address: { perSecond: 0.01, burst: 20 } },
  });
  const stranger = clientFrom("127.0.0.2");
  let no = 0;
  const named = () =>
    stranger(gateway.url, { "x-forwarded-for": `203.0.113.${++no}`, forwarded: `for=203.0.113.${no}` });
  expect(countOf(await statuses(100, named), 200)).toBe(20);
});

test("a caller cannot choose its address by what it sends to the proxy", async () => {
  const gateway = await startTestGateway({
    proxies: ["127.0.0.1"],
    limits: { ...LIMITS, address: { perSecond: 0.01, burst: 20 } },
  });
  const proxy = clientFrom("127.0.0.1");
  let no = 0;
  // The proxy adds the address that it sees behind what the caller sent.
  const forged = () => proxy(gateway.url, { "x-forwarded-for": `203.0.113.${++no}, "garbage, 192.0.2.1` });
  expect(countOf(await statuses(100, forged), 200)).toBe(20);
});

test("wrong keys of operators are counted by who is behind the proxy", async () => {
  const sha256 = createHash("sha256").update("rk_right").digest("hex");
  const gateway = await startTestGateway({
    proxies: ["127.0.0.1"],
    admin: { listen: { host: "127.0.0.1", port: 0 }, keys: [{ id: "ops", role: "viewer", sha256 }] },
  });
  const url = new URL(`${gateway.adminUrl}/approvals`);
  const proxy = clientFrom("127.0.0.1");
  const send = (from: string, key: string) => proxy(url, { authorization: `Bearer ${key}`, "x-forwarded-for": from });
  const guesses = await statuses(40, () => send("203.0.113.66", "rk_wrong"));
  expect(countOf(guesses, 429)).toBeGreaterThan(0);
  const another = await statuses(5, () => send("198.51.100.7", "another_typo"));
  expect(countOf(another, 401)).toBe(5);
});

// A thousand callers of an upstream that is used on behalf of persons: what their tokens cost, and what an outage of the token
// service does to them. The gateway is a process of its own; the token service, the upstream and the callers share another.
// Usage: node --conditions=@recourse/source bench/exchange.ts [--callers 1000] [--short]
import { fork } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type GatewayConfig, startGateway } from "@recourse/gateway";
import { listenOnLoopback, toolCallRequest } from "@recourse/test-kit/loopback";
import { Agent, request } from "undici";
import { startTokenProvider } from "../packages/gateway/test/support/token-provider.ts";
import { configOf } from "./gateway/config.ts";

const { values } = parseArgs({
  options: {
    callers: { type: "string", default: "1000" },
    short: { type: "boolean", default: false },
    /** For the process of the gateway: its configuration. */
    gateway: { type: "string" },
  },
});

const AUDIENCE = "https://tools.example/mcp";
/** Calls at one moment. */
const WIDTH = 64;
const OUTAGE_MS = 3_000;

/** What came of one call, and how long it took. */
interface Measured {
  readonly outcome: string;
  readonly ms: number;
}

async function measure(callers: number): Promise<void> {
  const provider = await startTokenProvider({ audience: AUDIENCE });
  const upstream = await startUpstream();
  const plain = configOf({
    upstream: upstream.url.href,
    controls: "off",
    engines: { redis: "", postgres: "" },
  });
  const { tokenUrl, clientId, clientSecret, issuer, jwksUrl } = provider;
  const resource = upstream.url.href;
  const client = { tokenUrl, clientId, clientSecret, resource, auth: "basic" } as const;
  const config = JSON.stringify({
    ...plain,
    authentication: "required",
    publicUrl: "https://tools.example",
    hosts: "any",
    jwt: { issuer, audience: AUDIENCE, jwksUrl, tenantClaim: "tenant", tools: ["*"] },
    breaker: { failures: 5, pauseMs: 1_000, maxPauseMs: 30_000 },
    upstreams: plain.upstreams.flatMap((one) => [
      { ...one, name: "own", prefix: "own__", credential: { kind: "clientCredentials", ...client } },
      { ...one, name: "each", prefix: "each__", credential: { kind: "exchange", ...client } },
    ]),
  });
  const conditions = ["--conditions=@recourse/source"];
  const child = fork(fileURLToPath(import.meta.url), ["--gateway", config], { execArgv: conditions });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (href) => resolve(String(href)));
    child.once("exit", (code) => reject(new Error(`the gateway ended with ${code}`)));
  });
  const agent = new Agent({ connections: WIDTH, headersTimeout: 20_000 });
  const names = Array.from({ length: callers }, (_, at) => `person-${at}`);
  const known = await Promise.all(names.map((name) => provider.sign(name)));
  const others = await Promise.all(names.map((name) => provider.sign(`other-${name}`)));
  const late = await Promise.all(names.slice(0, 100).map((name) => provider.sign(`late-${name}`)));

  const call = async (tool: string, token: string): Promise<Measured> => {
    const beganMs = performance.now();
    const answer = await request(url, {
      dispatcher: agent,
      ...toolCallRequest({ tool, apiKey: token }),
    });
    const text = await answer.body.text();
    const outcome =
      /"text":"(person|other|late|gateway)/.exec(text)?.[1] ?? /"reason":"([^"]+)"/.exec(text)?.[1] ?? text;
    return { outcome, ms: performance.now() - beganMs };
  };
  const round = (tool: string, tokens: readonly string[]) => forAll(tokens, (token) => call(tool, token));
  const exchanges = () => provider.requests.filter(({ grant }) => grant === "exchange").length;

  await call("each__echo", late[0] as string);
  const begun = exchanges();
  const rows: string[][] = [];
  const show = async (name: string, run: () => Promise<Measured[]>): Promise<void> => {
    const before = exchanges();
    const calls = await run();
    rows.push([name, String(calls.length), outcomes(calls), ...times(calls), String(exchanges() - before)]);
  };
  await show("one token of the gateway, first calls", () => round("own__echo", others));
  await show("one token of the gateway, again", () => round("own__echo", others));
  await show("a token for each caller, first calls", () => round("each__echo", known));
  await show("a token for each caller, again", () => round("each__echo", known));
  const peak = provider.peak();

  provider.mood.status = 503;
  const askedBefore = provider.requests.length;
  await show("outage: callers with a kept token", () => round("each__echo", known));
  const turnedAway: Measured[] = [];
  const untilMs = performance.now() + OUTAGE_MS;
  while (performance.now() < untilMs) turnedAway.push(...(await round("each__echo", late.slice(1))));
  const asked = provider.requests.length - askedBefore;
  rows.push([
    `outage: ${late.length - 1} other callers for ${OUTAGE_MS / 1_000} s`,
    String(turnedAway.length),
    outcomes(turnedAway),
    ...times(turnedAway),
    String(asked),
  ]);
  provider.mood.status = undefined;
  const backMs = performance.now();
  while ((await call("each__echo", late[1] as string)).outcome !== "late") await new Promise((r) => setTimeout(r, 20));
  const recoveredMs = performance.now() - backMs;
  await show("after it: the other callers", () => round("each__echo", late.slice(1)));

  console.log(`${callers} callers, ${WIDTH} calls at one moment; ${begun} exchange before the first row\n`);
  const head = ["", "calls", "outcomes", "p50 ms", "p95 ms", "requests to the token service"];
  console.log(`| ${head.join(" | ")} |\n|${" --- |".repeat(head.length)}`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
  console.log(`\nat most ${peak} requests to the token service at one moment`);
  console.log(`served again ${Math.round(recoveredMs)} ms after the token service was back`);
  const isWrong =
    rows[2]?.at(-1) !== String(callers) || rows[3]?.at(-1) !== "0" || rows[4]?.[2] !== `person ${callers}`;
  child.kill();
  await agent.close();
  await upstream.close();
  await provider.close();
  if (isWrong) process.exitCode = 1;
}

/** An upstream that answers with the subject of the token that it was shown. */
function startUpstream() {
  const results: Readonly<Record<string, object>> = {
    "server/discover": {
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      serverInfo: { name: "who", version: "1.0.0" },
      ttlMs: 60_000,
      cacheScope: "private",
    },
    "tools/list": {
      tools: [{ name: "echo", inputSchema: { type: "object" } }],
      ttlMs: 60_000,
      cacheScope: "private",
    },
  };
  return listenOnLoopback(
    createServer(async (incoming, response) => {
      let text = "";
      for await (const chunk of incoming) text += chunk;
      const { id, method } = JSON.parse(text) as { id: unknown; method: string };
      const claims = Buffer.from(incoming.headers.authorization?.split(".")[1] ?? "", "base64url").toString();
      const { sub } = JSON.parse(claims) as { sub: string };
      const result = results[method] ?? { content: [{ type: "text", text: sub }] };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } }));
    }),
  );
}

async function forAll<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.values();
  const work = async (): Promise<void> => {
    for (const item of left) results.push(await run(item));
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
  return results;
}

function outcomes(calls: readonly Measured[]): string {
  return [...Map.groupBy(calls, ({ outcome }) => outcome)].map(([name, all]) => `${name} ${all.length}`).join(", ");
}

function times(calls: readonly Measured[]): [string, string] {
  const sorted = calls.map(({ ms }) => ms).sort((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
  return [at(0.5), at(0.95)];
}

if (values.gateway === undefined) await measure(values.short ? 100 : Number(values.callers));
else {
  const { url } = await startGateway(JSON.parse(values.gateway) as GatewayConfig);
  process.send?.(url.href);
}

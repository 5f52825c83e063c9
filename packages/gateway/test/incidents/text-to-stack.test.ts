// From the id in a model's text to the stack of a guarded upstream: by one request, and by one line of the log.
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { guard, guardHandler, stderrSink, toNodeListener } from "@recourse/core/server";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { isNightly } from "@recourse/test-kit/runs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GatewayConfig, UpstreamConfig } from "../../src/config/types.ts";
import { startGateway } from "../../src/gateway.ts";
import { createObserver } from "../../src/telemetry/create-observer.ts";
import { ADMIN, ask } from "../admin/support.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { failingShop } from "./failing-shop.ts";

const CHILD = fileURLToPath(new URL("./guarded-child.ts", import.meta.url));
const ID = /incident ([0-7][0-9A-HJKMNP-TV-Z]{25})/;
/** The function that threw, and what it said, without the password. */
const STACK = [
  "Error: cannot open postgres://shop:[removed]@db.internal/orders",
  "at placeOrder",
  "failing-shop.ts:",
  "error 2 of 2: Error: connect ECONNREFUSED 127.0.0.1:5432",
  "with code=ECONNREFUSED",
];

function overStdio(speaksFaults: boolean): UpstreamConfig {
  const {
    url: _url,
    era: _era,
    ...rest
  } = httpUpstream("http://127.0.0.1", { name: "shop", prefix: "shop__" }) as Extract<UpstreamConfig, { kind: "http" }>;
  const command = [process.execPath, "--conditions=@recourse/source", "--no-warnings", CHILD] as const;
  const child = { command, environment: {}, per: "replica", maxChildren: 1, idleMs: 60_000 } as const;
  return { ...rest, kind: "stdio", speaksFaults, ...child };
}

/** A guarded server over HTTP, and its own log. */
async function overHttp(speaksFaults: boolean) {
  const log: string[] = [];
  const sink = stderrSink({ write: (text) => log.push(text) });
  const handler = createMcpHandler(() =>
    failingShop(guard(new McpServer({ name: "shop", version: "1.0.0" }), { sink })),
  );
  const listener = toNodeListener(guardHandler(handler as never, { sink }));
  const http = await listenOnLoopback(createServer(listener));
  onTestFinished(() => http.close());
  return { log, upstream: httpUpstream(http.url, { name: "shop", prefix: "shop__", speaksFaults }) };
}

/** Calls the tool through a gateway as a client of the official SDK does. */
async function called(upstream: UpstreamConfig) {
  const lines: string[] = [];
  const telemetry: GatewayConfig["telemetry"] = { otlp: undefined, prometheus: false, logLevel: "info" };
  const config = testConfig({ upstreams: [upstream], admin: ADMIN, telemetry, drainMs: 0 });
  const observer = createObserver(config, { writeLine: (line) => lines.push(line) });
  const gateway = await startGateway(config, { observer });
  onTestFinished(() => gateway.close());
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(gateway.url));
  const { content } = (await client.callTool({ name: "shop__order", arguments: {} })) as {
    readonly content: readonly { readonly text: string }[];
  };
  await client.close();
  const text = content[0]?.text ?? "";
  const id = ID.exec(text)?.[1] ?? "";
  const { adminUrl } = gateway;
  if (adminUrl === undefined) throw new Error("no admin API");
  const get = (incident: string) => ask(adminUrl, `/incidents/${incident}`);
  await expect.poll(async () => (await get(id)).status).toBe(200);
  return { text, id, get, lines, found: (await get(id)).json };
}

// Each starts a process that loads the sources. Over HTTP both are told apart by day.
describe.each(isNightly ? [false, true] : [false])(
  "a guarded upstream over stdio, speaksFaults: %s",
  (speaksFaults) => {
    it("the id in the text leads to its stack, by one request or one line", async () => {
      const { text, id, get, lines, found } = await called(overStdio(speaksFaults));
      expect(found).toMatchObject({ id, upstream: "shop", tool: "shop__order", sample: { sentText: text } });
      expect(found.upstreamIncident === id).toBe(speaksFaults);
      for (const part of STACK) expect(found.sample.upstreamLog).toContain(part);
      // The id that the upstream's own log has leads to the same incident.
      expect((await get(found.upstreamIncident)).json).toEqual(found);
      const line = JSON.parse(lines.find((one) => one.includes(id) && one.includes('"fault":')) ?? "null");
      for (const part of STACK) expect(line.upstreamLog).toContain(part);
      expect(Number.isInteger(line.durationMs)).toBe(true);
      expect(lines.some((one) => one.includes(found.upstreamIncident) && one.includes("placeOrder"))).toBe(true);
      expect(JSON.stringify([found, lines])).not.toMatch(/hunter22|secret was left out/);
    });
  },
);

describe.each([false, true])("a guarded upstream over HTTP, speaksFaults: %s", (speaksFaults) => {
  it("the incident names the entry of its log, which has the stack", async () => {
    const { upstream, log } = await overHttp(speaksFaults);
    const { text, id, get, found, lines } = await called(upstream);
    expect(found).toMatchObject({ id, upstream: "shop", sample: { sentText: text } });
    expect(found.upstreamIncident === id).toBe(speaksFaults);
    expect(found.sample.causes[0].message).toContain(found.upstreamIncident);
    const [entry = ""] = log.filter((one) => one.includes(`incident=${found.upstreamIncident}`));
    for (const part of STACK) expect(entry).toContain(part);
    expect((await get(found.upstreamIncident)).json).toEqual(found);
    expect(lines.some((one) => one.includes(id) && one.includes(found.upstreamIncident))).toBe(true);
  });
});

// Upstreams behind a forward proxy, and with certificates of a CA that only the configuration names.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCertificate, type TestCertificate } from "@recourse/test-kit/certificates";
import { type ForwardProxy, startForwardProxy } from "@recourse/test-kit/forward-proxy";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Upstream } from "../../src/call/upstream.ts";
import { loadConfig } from "../../src/config/load.ts";
import { type Gateway, startGateway } from "../../src/gateway.ts";
import { createObserver } from "../../src/telemetry/create-observer.ts";
import { UpstreamTokens } from "../../src/upstreams/credentials/upstream-tokens.ts";
import { createRestUpstream } from "../../src/upstreams/rest/upstream.ts";
import { restUpstream } from "../support/config.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";
import { callOf, upstreamAt } from "./support/upstream.ts";

const PASSWORD = "corp-pass-word";
const authority = { name: "Test CA", ...createCertificate({ name: "Test CA", authority: true }) };
const forName = (name: string) => createCertificate({ name, issuer: authority });

/** MCP server, API and token service in one, over TLS. It records what was asked with which credential. */
async function startServices(certificate: TestCertificate) {
  const seen: string[] = [];
  const server = createTlsServer(certificate, async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push(`${request.headers.host?.split(":")[0]} ${request.url} ${request.headers.authorization ?? ""}`.trim());
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answerOf(request.url ?? "", body)));
  });
  const { url, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return { port: Number(url.port), seen };
}

function answerOf(path: string, body: string): object {
  if (path === "/token") return { access_token: "fetched-token", token_type: "bearer", expires_in: 600 };
  if (path === "/clients") return { clients: [] };
  const { id, method } = JSON.parse(body) as { id: unknown; method: string };
  const result = RESULTS[method] ?? {};
  return { jsonrpc: "2.0", id, result: { resultType: "complete", ...result } };
}

const FRESH = { ttlMs: 60_000, cacheScope: "private" };
const RESULTS: Readonly<Record<string, object>> = {
  "server/discover": {
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    serverInfo: { name: "tools", version: "1.0.0" },
    ...FRESH,
  },
  "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }], ...FRESH },
  "tools/call": { content: [{ type: "text", text: "served" }] },
};

const API = (server: string) => ({
  openapi: "3.1.0",
  info: { title: "CRM", version: "1" },
  servers: [{ url: server }],
  paths: { "/clients": { get: { operationId: "list", responses: { "200": { description: "All." } } } } },
});

function openFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "network-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function openProxy(): Promise<ForwardProxy> {
  const proxy = await startForwardProxy({ user: `ann:${PASSWORD}` });
  onTestFinished(() => proxy.close());
  Object.assign(proxy.url, { username: "ann", password: PASSWORD });
  return proxy;
}

const call = (gateway: Gateway, tool: string) =>
  post(
    gateway.url,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":{},"_meta":{${MODERN_META}}}}`,
    modernHeaders("tools/call", tool),
  );

/** A gateway whose upstreams are known to the proxy alone, with everything that it has logged. */
async function openGateway(proxy: ForwardProxy, port: number) {
  const folder = openFolder({
    "ca.pem": authority.cert,
    "crm.json": JSON.stringify(API(`https://services.test:${port}`)),
    "gateway.yaml": `
store: memory
authentication: none
listen: 127.0.0.1:0
telemetry: { log: debug }
upstreams:
  tools:
    url: https://services.test:${port}/mcp
    tls: { ca: ./ca.pem }
    credential:
      clientCredentials: { tokenUrl: "https://services.test:${port}/token", clientId: gateway, clientSecret: a-client-secret }
  crm: { openapi: ./crm.json, tls: { ca: ./ca.pem } }
  direct: { url: "https://services.test:${port}/mcp", tls: { ca: ./ca.pem }, proxy: false, timeout: 2s }
`,
  });
  const file = join(folder, "gateway.yaml");
  const environment = { HTTPS_PROXY: proxy.url.href };
  const loaded = loadConfig(readFileSync(file, "utf8"), { environment, file });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const lines: string[] = [];
  const observer = createObserver(loaded.config, { writeLine: (line) => void lines.push(line) });
  const gateway = await startGateway(loaded.config, { observer });
  onTestFinished(() => gateway.close());
  return { gateway, lines };
}

it("an upstream, its token service and a REST API are reached through the proxy of the environment", async () => {
  const proxy = await openProxy();
  const { port, seen } = await startServices(forName("services.test"));
  const { gateway } = await openGateway(proxy, port);
  expect((await call(gateway, "tools__echo")).text).toContain("served");
  expect((await call(gateway, "crm__list")).text).toContain("clients");
  expect(seen).toContain("services.test /mcp Bearer fetched-token");
  expect(seen).toContain("services.test /clients");
  expect(new Set(proxy.asked)).toEqual(new Set([`services.test:${port}`]));

  const before = proxy.asked.length;
  expect((await call(gateway, "direct__echo")).text).not.toContain("served");
  expect(proxy.asked).toHaveLength(before);
});

it("callers and the log learn that a proxy refuses, and never its password", async () => {
  const proxy = await openProxy();
  const { port } = await startServices(forName("services.test"));
  proxy.fault = 407;
  const { gateway, lines } = await openGateway(proxy, port);
  const answers = [await call(gateway, "tools__echo"), await call(gateway, "crm__list")];
  const log = lines.join("\n");
  expect(log).toContain(
    `the proxy ${proxy.url.host} refused a connection to services.test:${port} with HTTP status 407`,
  );
  const secrets = [PASSWORD, Buffer.from(`ann:${PASSWORD}`).toString("base64")];
  for (const text of [log, ...answers.map((answer) => answer.text)])
    for (const secret of secrets) expect(text).not.toContain(secret);
  for (const { text } of answers) expect(text).not.toContain(proxy.url.host);
});

/** The fault of a call. */
async function failureOf(upstream: Upstream, tool = "echo") {
  onTestFinished(() => upstream.close());
  const reply = await upstream.send(callOf(tool));
  if (reply.kind !== "failed") return expect.unreachable();
  const { kind, reason, effect } = reply.fault;
  return { kind, reason, effect, cause: String(reply.cause) };
}

/** The same for an MCP server, whose first message fails; the operator reads the cause in the log. */
async function mcpFailureOf(url: string, config: Parameters<typeof upstreamAt>[1]) {
  const causes: unknown[] = [];
  const onNegotiated = (ended: object) => void causes.push("cause" in ended ? ended.cause : undefined);
  const failure = await failureOf(upstreamAt(url, { era: "2026-07-28", ...config }, { onNegotiated }));
  return { ...failure, cause: String(causes[0]) };
}

const rulesOf = ({ url }: ForwardProxy) => ({ http: url.href, https: url.href });

describe("a proxy that does not work", () => {
  const MISCONFIGURED = { kind: "unavailable", reason: "core/misconfigured", effect: "none" };
  const AWAY = { kind: "unavailable", reason: "transport/unreachable", effect: "none" };
  const API_AWAY = { kind: "unavailable", reason: "core/unavailable", effect: "none" };

  it.each([
    [407, MISCONFIGURED, MISCONFIGURED, "refused a connection"],
    [502, AWAY, API_AWAY, "refused a connection"],
    ["close", AWAY, API_AWAY, "ECONNRESET"],
    ["dead", AWAY, API_AWAY, "ECONNREFUSED"],
  ] as const)("%s: nothing was sent, and the cause names the proxy", async (fault, forMcp, forApi, said) => {
    const proxy = await openProxy();
    if (fault === "dead") await proxy.close();
    else proxy.fault = fault;
    const mcp = await mcpFailureOf("https://services.test/mcp", { proxy: rulesOf(proxy) });
    expect(mcp).toMatchObject(forMcp);
    const folder = openFolder({ "crm.json": JSON.stringify(API("https://services.test")) });
    const config = restUpstream(join(folder, "crm.json"), { proxy: rulesOf(proxy) });
    if (config.kind !== "openapi") return expect.unreachable();
    const api = await failureOf(createRestUpstream(config), "list");
    expect(api).toMatchObject(forApi);
    for (const { cause } of [mcp, api]) {
      expect(cause).toContain(proxy.url.host);
      expect(cause).toContain(said);
      expect(cause).not.toContain(PASSWORD);
    }
  });

  it("hangs: the call ends in its time, and nothing was sent", async () => {
    const proxy = await openProxy();
    proxy.fault = "hang";
    const upstream = upstreamAt("https://services.test/mcp", { proxy: rulesOf(proxy), timeoutMs: 300 });
    expect(await failureOf(upstream)).toMatchObject({ effect: "none", kind: "unavailable" });
  });

  it.each([
    [407, "misconfigured"],
    [502, "unavailable"],
  ] as const)("%s before the token service: the call is refused as %s", async (status, reason) => {
    const proxy = await openProxy();
    proxy.fault = status;
    const credential = {
      kind: "clientCredentials",
      tokenUrl: "https://login.test/token",
      clientId: "gateway",
      clientSecret: "a-client-secret",
      auth: "basic",
    } as const;
    const observer = { switched: () => {}, log: () => {} };
    const tokens = new UpstreamTokens({ name: "up", proxy: rulesOf(proxy) }, credential, { observer });
    onTestFinished(() => tokens.close());
    const found = await tokens.find(undefined, { timeoutMs: 600_000, signal: undefined });
    if (!("fault" in found)) return expect.unreachable();
    expect(found.fault).toMatchObject({ reason: `core/${reason}`, effect: "none" });
    expect(String(found.cause)).toContain(`the proxy ${proxy.url.host} refused a connection to login.test:443`);
  });
});

describe("the addresses of an API behind a proxy", () => {
  it("are checked if they are written as such; names are resolved by the proxy", async () => {
    const proxy = await openProxy();
    const { port } = await startServices(forName("services.test"));
    const folder = openFolder({
      "literal.json": JSON.stringify(API(`https://127.0.0.1:${port}`)),
      "named.json": JSON.stringify(API(`https://services.test:${port}`)),
    });
    const ask = async (file: string) => {
      const options = { proxy: rulesOf(proxy), tls: { ca: [authority.cert] }, allowPrivate: false };
      const config = restUpstream(join(folder, file), options);
      if (config.kind !== "openapi") return expect.unreachable();
      const upstream = createRestUpstream(config);
      onTestFinished(() => upstream.close());
      return upstream.send(callOf("list"));
    };
    expect(await ask("literal.json")).toMatchObject({ kind: "failed", fault: { effect: "none" } });
    expect(proxy.asked).toEqual([]);
    expect(await ask("named.json")).toMatchObject({ kind: "answer" });
    expect(proxy.asked).toEqual([`services.test:${port}`]);
  });
});

describe("a certificate", () => {
  it("is accepted with its CA, and refused without it: nothing was sent, and the cause says why", async () => {
    const { port, seen } = await startServices(forName("127.0.0.1"));
    const url = `https://127.0.0.1:${port}/mcp`;
    const upstream = upstreamAt(url, { tls: { ca: [authority.cert] }, era: "2026-07-28" });
    onTestFinished(() => upstream.close());
    expect(await upstream.send(callOf("echo"))).toMatchObject({ kind: "answer", status: 200 });
    seen.splice(0);
    const refused = await mcpFailureOf(url, {});
    expect(refused).toMatchObject({ reason: "core/misconfigured", effect: "none", kind: "unavailable" });
    expect(refused.cause).toContain("the certificate of 127.0.0.1 is not signed by a CA that is known");
    expect(seen).toEqual([]);
  });

  it("for another name is refused although its CA is known", async () => {
    const { port } = await startServices(forName("other.test"));
    const refused = await mcpFailureOf(`https://127.0.0.1:${port}/mcp`, { tls: { ca: [authority.cert] } });
    expect(refused).toMatchObject({ reason: "core/misconfigured", effect: "none" });
    expect(refused.cause).toContain("the certificate of 127.0.0.1 is for another name");
  });
});

// Upstreams that verify tokens against a real authorization server, and gateways before them.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { performance as platform } from "node:perf_hooks";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { onTestFinished, vi } from "vitest";
import type { GatewayConfig, UpstreamConfig, UpstreamCredential } from "../../src/config/types.ts";
import type { Gateway } from "../../src/gateway.ts";
import { createObserver } from "../../src/telemetry/create-observer.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { MODERN_META, modernHeaders, post, type RawAnswer } from "../support/post.ts";
import { startTokenProvider, type TokenProvider } from "../support/token-provider.ts";

const GATEWAY_AUDIENCE = "https://tools.example/mcp";

/** Long enough for the slowest machine. */
const PATIENT_MS = 600_000;

/** Shorter limits are no patience: the gateway closes its connections by them. */
const MIN_LIMIT_MS = 1_001;

let nowMs = 0;

/**
 * From now on time passes only in `pass`, until the test has ended: tokens do not end by themselves, no pause is over, and no
 * answer is late. The time of day goes on.
 */
export function holdTokens(): void {
  holdTime();
  nowMs = performance.now();
  performance.now = () => nowMs;
  // Some parts of the gateway have the clock of the module.
  const now = vi.spyOn(platform, "now").mockImplementation(() => nowMs);
  const { timeout } = AbortSignal;
  const limit = vi
    .spyOn(AbortSignal, "timeout")
    .mockImplementation((ms) => (ms < MIN_LIMIT_MS ? timeout.call(AbortSignal, ms) : new AbortController().signal));
  onTestFinished(() => {
    now.mockRestore();
    limit.mockRestore();
  });
}

/** Lets time pass for tokens and pauses. No timer fires. */
export function pass(ms: number): void {
  nowMs += ms;
}

/** Starts an authorization server for one test. */
export async function openProvider(): Promise<TokenProvider> {
  const provider = await startTokenProvider({ audience: GATEWAY_AUDIENCE });
  onTestFinished(() => provider.close());
  return provider;
}

/** Who an upstream saw in a request. */
interface SeenRequest {
  readonly method: string;
  readonly subject: string | undefined;
  readonly token: string;
  readonly status: number;
}

/** An MCP server of the newer era that serves whoever shows a token for it. */
export interface GuardedUpstream {
  readonly url: URL;
  readonly seen: SeenRequest[];
  /** Tokens that are refused although they are good. */
  readonly revoked: Set<string>;
  /** Refuses everything with this status. */
  refusal: { readonly status: number; readonly challenge: string } | undefined;
  /** Reads the keys of the issuer again with the next request. */
  forgetKeys(): void;
  /** What the tool `echo` answers in the place of the subject: a result, or an error with its code. */
  say: ((request: IncomingMessage, token: string) => object) | undefined;
}

/** Starts such a server. Its address is the audience of its tokens. */
export async function openGuarded(provider: TokenProvider): Promise<GuardedUpstream> {
  const state: Pick<GuardedUpstream, "seen" | "revoked"> & {
    refusal: GuardedUpstream["refusal"];
    say: GuardedUpstream["say"];
  } = { seen: [], revoked: new Set(), refusal: undefined, say: undefined };
  const check = tokenCheck(provider);
  // A connection that it closes after a while may be the one that the next message is sent on.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { method, id, params } = JSON.parse(await bodyOf(request)) as {
      method: string;
      id: unknown;
      params: { name?: string };
    };
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const subject = state.revoked.has(token) ? undefined : await check.subject(token, served.url.href);
    const status = subject === undefined ? 401 : (state.refusal?.status ?? 200);
    state.seen.push({ method, subject, token, status });
    if (status !== 200) {
      response.writeHead(status, { "www-authenticate": state.refusal?.challenge ?? 'Bearer error="invalid_token"' });
      // Some say too much.
      response.end(`refused with ${token}`);
      return;
    }
    if (params.name === "notify") return void sendNotice(response, id, token);
    const content = state.say?.(request, token) ?? { content: [{ type: "text", text: subject }] };
    if (method === "tools/call" && "code" in content) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: content }));
      return;
    }
    const result = method === "tools/call" ? content : PREPARED[method];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } }));
  });
  const served = await listenOnLoopback(server);
  onTestFinished(served.close);
  return Object.assign(state, { url: served.url, forgetKeys: check.forgetKeys });
}

const PREPARED: Readonly<Record<string, object>> = {
  "server/discover": {
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    serverInfo: { name: "guarded", version: "1.0.0" },
    ttlMs: 60_000,
    cacheScope: "private",
  },
  "tools/list": {
    tools: ["echo", "notify"].map((name) => ({ name, inputSchema: { type: "object" } })),
    ttlMs: 60_000,
    cacheScope: "private",
  },
};

/** A log message with the token, and then the answer. */
function sendNotice(response: ServerResponse, id: unknown, token: string): void {
  const say = (message: object) => response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  say({ method: "notifications/message", params: { level: "info", data: `token ${token}` } });
  say({ id, result: { resultType: "complete", content: [{ type: "text", text: "done" }] } });
  response.end();
}

/** Finds the subject of a good token for an audience. */
export function tokenCheck({ jwksUrl, issuer }: TokenProvider) {
  const read = () => createRemoteJWKSet(new URL(jwksUrl), { cooldownDuration: 0 });
  let keys = read();
  return {
    forgetKeys() {
      keys = read();
    },
    subject: (token: string, audience: string): Promise<string | undefined> =>
      jwtVerify(token, keys, { issuer, audience }).then(
        ({ payload }) => payload.sub,
        () => undefined,
      ),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A credential that is fetched from a provider, for the upstream at an address. */
export function fetched(
  kind: "clientCredentials" | "exchange",
  { tokenUrl, clientId, clientSecret }: TokenProvider,
  resource: URL | string,
): UpstreamCredential {
  return { kind, tokenUrl, clientId, clientSecret, auth: "basic", resource: String(resource) };
}

/** A gateway with everything that it has logged. */
export interface LoggedGateway extends Gateway {
  readonly lines: string[];
  metrics(): Promise<string>;
}

/** Starts a gateway whose callers show tokens of the provider. */
export async function openGateway(
  provider: TokenProvider,
  upstreams: readonly UpstreamConfig[],
  changes: Partial<GatewayConfig> = {},
): Promise<LoggedGateway> {
  const lines: string[] = [];
  const config: Partial<GatewayConfig> = {
    authentication: "required",
    publicUrl: "https://tools.example",
    hosts: "any",
    jwt: {
      issuer: provider.issuer,
      audience: GATEWAY_AUDIENCE,
      jwksUrl: provider.jwksUrl,
      tenantClaim: "tenant",
      tools: ["*"],
      dialect: undefined,
    },
    telemetry: { otlp: undefined, prometheus: true, logLevel: "debug" },
    deadlineMs: PATIENT_MS,
    upstreams,
    ...changes,
  };
  const observer = createObserver(testConfig(config), { writeLine: (line) => void lines.push(line) });
  const gateway = await startTestGateway(config, { observer });
  return Object.assign(gateway, { lines, metrics: async () => (await observer.metrics()) ?? "" });
}

/** An upstream that is reached with a fetched credential. */
export function guardedConfig(
  { url }: Pick<GuardedUpstream, "url">,
  kind: "clientCredentials" | "exchange",
  provider: TokenProvider,
  changes: Parameters<typeof httpUpstream>[1] = {},
): UpstreamConfig {
  return httpUpstream(url, { credential: fetched(kind, provider, url), timeoutMs: PATIENT_MS, ...changes });
}

/** Calls a tool of the upstream, as a client of the newer era with a credential. */
export function callWith(gateway: Pick<Gateway, "url">, credential: string, tool = "echo"): Promise<RawAnswer> {
  const params = `{"name":"up__${tool}","arguments":{},"_meta":{${MODERN_META}}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  const headers = { ...modernHeaders("tools/call", `up__${tool}`), authorization: `Bearer ${credential}` };
  return post(gateway.url, body, headers);
}

/** What a call came to: the text of its result, or the reason of its fault. */
export async function outcomeOf(answer: Promise<RawAnswer>): Promise<string> {
  const { text, json } = await answer;
  const result = json().result as { content?: { text?: string }[]; isError?: boolean } | undefined;
  if (result !== undefined && result.isError !== true) return result.content?.[0]?.text ?? "";
  return /"reason":"([^"]+)"/.exec(text)?.[1] ?? text;
}

/** How often the provider was asked, by grant. */
export function asked({ requests }: TokenProvider): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(requests, ({ grant }) => grant)).map(([k, v]) => [k, v.length]),
  );
}

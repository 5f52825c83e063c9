// An upstream of the older era with sessions, made with the official SDK: each session is one caller's from its first message.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { TokenProvider } from "../support/token-provider.ts";
import { callWith, guardedConfig, holdTokens, openGateway, openProvider, outcomeOf, tokenCheck } from "./support.ts";

beforeEach(holdTokens);

/** A request within a session, and who it came from. */
interface SessionRequest {
  readonly session: string | undefined;
  readonly subject: string | undefined;
  readonly method: string | undefined;
}

async function openSessions(provider: TokenProvider) {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const seen: SessionRequest[] = [];
  const revoked = new Set<string>();
  const tokens = new Map<string, string>();
  const check = tokenCheck(provider);
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const id = request.headers["mcp-session-id"] as string | undefined;
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const subject = revoked.has(token) ? undefined : await check.subject(token, served.url.href);
    seen.push({ session: id, subject, method: request.method });
    if (subject === undefined) return void response.writeHead(401).end();
    tokens.set(subject, token);
    const known = id === undefined ? undefined : transports.get(id);
    if (known !== undefined) return void (await known.handleRequest(request, response));
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (begun) => void transports.set(begun, transport),
    });
    const mcp = new McpServer({ name: "older", version: "1.0.0" });
    // Who the session was opened by.
    mcp.registerTool("echo", {}, () => ({ content: [{ type: "text", text: subject }] }));
    await mcp.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  const served = await listenOnLoopback(server);
  onTestFinished(served.close);
  return { url: served.url, seen, revoked, tokens };
}

test("a session is opened, used and ended with the tokens of one caller", async () => {
  const provider = await openProvider();
  const upstream = await openSessions(provider);
  const gateway = await openGateway(provider, [guardedConfig(upstream, "exchange", provider, { era: "2025-11-25" })]);
  const names = Array.from({ length: 20 }, (_, at) => `person-${at}`);
  const callers = await Promise.all(names.map((name) => provider.sign(name)));
  for (let round = 0; round < 2; round++)
    expect(await Promise.all(callers.map((token) => outcomeOf(callWith(gateway, token))))).toEqual(names);
  // A token that is refused in the middle of a session is replaced, and the session goes on.
  upstream.revoked.add(upstream.tokens.get("person-0") ?? "");
  expect(await outcomeOf(callWith(gateway, callers[0] as string))).toBe("person-0");
  await gateway.close();
  const inSessions = Map.groupBy(
    upstream.seen.filter(({ session, subject }) => session !== undefined && subject !== undefined),
    ({ session }) => session,
  );
  expect(inSessions.size).toBeGreaterThanOrEqual(21);
  for (const requests of inSessions.values()) expect(new Set(requests.map(({ subject }) => subject)).size).toBe(1);
  const ended = upstream.seen.filter(({ method }) => method === "DELETE").map(({ subject }) => subject);
  expect(new Set(ended)).toEqual(new Set(["gateway", ...names]));
});

test("a caller that is refused by the service opens no session", async () => {
  const provider = await openProvider();
  const upstream = await openSessions(provider);
  const gateway = await openGateway(provider, [guardedConfig(upstream, "exchange", provider, { era: "2025-11-25" })]);
  provider.mood.refused.set("eve", "access_denied");
  expect(await outcomeOf(callWith(gateway, await provider.sign("eve")))).toBe("auth/exchange_refused");
  expect(await outcomeOf(callWith(gateway, await provider.sign("ada")))).toBe("ada");
  expect(upstream.seen.map(({ subject }) => subject)).not.toContain("eve");
});

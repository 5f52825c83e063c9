// Who talks with the running image: a server behind it, and a caller in front of it.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { toolCallRequest } from "@recourse/test-kit/loopback";
import { type Client, request } from "undici";
import { createPostServer } from "../../bench/gateway/post-server.ts";

/** The server behind the gateway. */
export interface Upstream {
  readonly url: string;
  /** How many calls wait for their answer. */
  held(): number;
  /** Answers them. */
  release(): void;
  close(): void;
}

/** A server with one tool that answers at once, and one that answers when the test releases it. */
export async function startUpstream(): Promise<Upstream> {
  const waiting: (() => void)[] = [];
  const about = { serverInfo: { name: "check", version: "1.0.0" }, capabilities: { tools: {} } };
  const cached = { ttlMs: 60_000, cacheScope: "private" };
  const lists: Readonly<Record<string, object>> = {
    "server/discover": { resultType: "complete", supportedVersions: ["2026-07-28"], ...about, ...cached },
    "tools/list": {
      resultType: "complete",
      tools: ["ok", "hold"].map((name) => ({ name, inputSchema: { type: "object" } })),
      ...cached,
    },
  };
  const server: Server = createPostServer({ keepAliveTimeout: 5_000 }, (sent, response) => {
    const { id, method, params } = JSON.parse(sent) as { id?: unknown; method: string; params?: { name?: string } };
    const respond = (result: object) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    const say = (text: string) => respond({ resultType: "complete", content: [{ type: "text", text }] });
    const list = lists[method];
    if (id === undefined) response.writeHead(202).end();
    else if (list !== undefined) respond(list);
    else if (params?.name === "hold") waiting.push(() => say("held"));
    else say("fine");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    held: () => waiting.length,
    release: () => {
      for (const answer of waiting.splice(0)) answer();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const CALL_MS = 60_000;

/** What a call of a tool is like. */
export interface ToolCall {
  readonly name: string;
  /** @default {} */
  readonly given?: object;
  /** An open connection to use. @default one of its own, which is closed afterwards */
  readonly on?: Client;
}

/** What came of a call. */
export interface CallOutcome {
  /** The text of the answer, or the code of what went wrong with the connection. */
  readonly text: string;
  /** Whether the gateway closes the connection. */
  readonly isLast: boolean;
}

/** Calls a tool. It never rejects. */
export async function callTool(port: number, { name, given = {}, on }: ToolCall): Promise<CallOutcome> {
  try {
    const { headers, body } = await request(`http://127.0.0.1:${port}/mcp`, {
      ...(on === undefined ? { reset: true } : { dispatcher: on }),
      ...toolCallRequest({ tool: name, args: given }),
      signal: AbortSignal.timeout(CALL_MS),
    });
    return { text: await body.text(), isLast: headers["connection"] === "close" };
  } catch (error) {
    return { text: codeOf(error), isLast: true };
  }
}

/** The status of a page, on a connection of its own; otherwise the code of what went wrong. */
export async function status(port: number, path: string): Promise<number | string> {
  try {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, {
      reset: true,
      signal: AbortSignal.timeout(5_000),
    });
    await body.dump();
    return statusCode;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: string };
  return String(code ?? name);
}

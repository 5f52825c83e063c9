// Mixed traffic: calls that succeed, fail, time out and are left, streams, sessions of the older era, and wrong keys.
import { Agent, request } from "undici";
import type { SoakTool } from "./upstream.ts";

export interface TrafficOptions {
  readonly port: number;
  readonly perSecond: number;
  /** The key that callers have just now. */
  readonly key: () => string;
  /** Whether no new call is sent just now. */
  readonly isPaused: () => boolean;
  readonly signal: AbortSignal;
}

/** How often what came out. */
export type Counts = Map<string, number>;

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
/** What is called, by turns: most of it in order. */
const TURNS: readonly (SoakTool | "left" | "wrong key" | "unknown tool" | "list" | "session" | "not json")[] = [
  ...Array<SoakTool>(10).fill("ok"),
  "large",
  "fails",
  "fails",
  "refuses",
  "broken",
  "stream",
  "stream",
  "slow",
  "hangs",
  "left",
  "wrong key",
  "unknown tool",
  "list",
  "session",
  "not json",
];

/** Sends calls at a fixed rate until it is stopped. */
export async function traffic({ port, perSecond, key, isPaused, signal }: TrafficOptions): Promise<Counts> {
  const agent = new Agent({ connections: 64, keepAliveTimeout: 4_000, pipelining: 1 });
  const counts: Counts = new Map();
  const open = new Set<Promise<void>>();
  let lastMs = performance.now();
  let due = 0;
  for (let made = 0; !signal.aborted; ) {
    const nowMs = performance.now();
    if (!isPaused()) due += ((nowMs - lastMs) * perSecond) / 1_000;
    lastMs = nowMs;
    for (; due >= 1; due--, made++) {
      const turn = TURNS[made % TURNS.length] as (typeof TURNS)[number];
      const call = send(turn).then((outcome) => {
        const name = `${turn}: ${outcome}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
        open.delete(call);
      });
      open.add(call);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(open);
  await agent.close();
  return counts;

  async function send(turn: (typeof TURNS)[number]): Promise<string> {
    try {
      switch (turn) {
        case "wrong key":
          return await post(call("ok"), modern("tools/call", "soak__ok"), { key: "rk_wrong" });
        case "unknown tool":
          return await post(call("none"), modern("tools/call", "soak__none"));
        case "list":
          return await post(message("tools/list", { _meta: META }), modern("tools/list"));
        case "not json":
          return await post('{"jsonrpc":', modern("tools/call", "soak__ok"));
        case "session":
          return await session();
        case "left":
          return await post(call("hangs"), modern("tools/call", "soak__hangs"), { signal: AbortSignal.timeout(30) });
        default:
          return await post(call(turn), modern("tools/call", `soak__${turn}`));
      }
    } catch (error) {
      return error instanceof Error ? error.name : "thrown";
    }
  }

  async function session(): Promise<string> {
    const headers = { "mcp-protocol-version": "2025-11-25" };
    const clientInfo = { name: "soak", version: "1.0.0" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const opened = await answerOf(message("initialize", params), {});
    await opened.body.dump();
    const id = opened.headers["mcp-session-id"];
    const more = typeof id === "string" ? { ...headers, "mcp-session-id": id } : headers;
    return await post(message("tools/call", { name: "soak__ok", arguments: {} }), more);
  }

  async function post(body: string, headers: Headers, more: Partial<Sent> = {}): Promise<string> {
    const { statusCode, body: answer } = await answerOf(body, headers, more);
    const text = await answer.text();
    return `${statusCode}${/"isError":true/.test(text) ? " isError" : ""}`;
  }

  function answerOf(body: string, headers: Headers, { key: given = key(), signal: left }: Partial<Sent> = {}) {
    return request(`http://127.0.0.1:${port}/mcp`, {
      dispatcher: agent,
      method: "POST",
      headers: { ...COMMON, authorization: `Bearer ${given}`, ...headers },
      body,
      ...(left !== undefined && { signal: left }),
    });
  }
}

type Headers = Readonly<Record<string, string>>;
interface Sent {
  readonly key: string;
  readonly signal: AbortSignal;
}
const COMMON = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const message = (method: string, params: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const call = (tool: string): string =>
  message("tools/call", { name: `soak__${tool}`, arguments: { n: 1 }, _meta: META });
const modern = (method: string, name?: string): Headers => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": method,
  ...(name !== undefined && { "mcp-name": name }),
});

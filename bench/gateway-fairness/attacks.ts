import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { callHeaders } from "../gateway/messages.ts";

/** What an attack works with. */
export interface AttackContext {
  readonly url: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Requests that one attack sends in a second: five times what the limit of a key allows. */
const PER_SECOND = 100;

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "fairness", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A call of a tool, as its body and headers. */
export function callOf(
  tool: string,
  { args = {}, call = {} }: { readonly args?: object; readonly call?: Readonly<Record<string, unknown>> } = {},
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const _meta = { ...META, "recourse/call": { id: "fairness", attempt: 1, ...call } };
  const params = { name: tool, arguments: args, _meta };
  return {
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params }),
    headers: callHeaders(tool),
  };
}

interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

class Attacker {
  readonly #context: AttackContext;
  readonly #agent = new Agent({ connections: 4_000, pipelining: 1 });
  readonly #pending = new Set<Promise<void>>();
  /** Many at once first, then as many as are refused in a while. */
  #burst = 1_200;

  constructor(context: AttackContext) {
    this.#context = context;
  }

  get pending(): number {
    return this.#pending.size;
  }

  /** Sends a request, and does not wait for its answer. */
  send({ body, headers }: Sent, key: string = this.#context.key): void {
    const { url, signal } = this.#context;
    const work = request(url, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${key}` },
      body,
      dispatcher: this.#agent,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
      .then((answer) => answer.body.dump({ limit: 1e9 }))
      .catch(() => {})
      .finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  /** Keeps that many requests open. */
  async hold(count: number, sent: () => Sent): Promise<void> {
    const { signal } = this.#context;
    while (!signal.aborted) {
      for (let n = 0; n < this.#burst && this.pending < count; n++) this.send(sent());
      this.#burst = 10;
      await pause(signal, 100);
    }
    await this.close();
  }

  /** Sends that many requests in a second. */
  async flood(perSecond: number, sent: (n: number) => Sent, keyOf?: (n: number) => string): Promise<void> {
    const { signal } = this.#context;
    const startMs = performance.now();
    for (let n = 0; !signal.aborted; ) {
      const due = ((performance.now() - startMs) * perSecond) / 1_000;
      for (; n < due && this.pending < 1_500; n++) this.send(sent(n), keyOf?.(n));
      await pause(signal, 10);
      // What could not be sent in time is not made up for.
      n = Math.max(n, Math.floor(due));
    }
    await this.close();
  }

  async close(): Promise<void> {
    await this.#agent.destroy().catch(() => {});
    await Promise.all(this.#pending);
  }
}

async function pause(signal: AbortSignal, ms: number): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

const LONG = { deadlineMs: 60_000 };
const listen: Sent = {
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "subscriptions/listen",
    params: { notifications: { toolsListChanged: true }, _meta: META },
  }),
  headers: { ...callHeaders("x"), "mcp-method": "subscriptions/listen", "mcp-name": "" },
};
const deep = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"main__ok","arguments":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}}`;
const manyMembers = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`m${at}`, at]));
const sessionHeaders = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};
const encoded = "aGVsbG8gd29ybGQ%3D&#x41;\\u0041 token=".repeat(110);

type Attack = (attacker: Attacker) => Promise<void>;

/** What one hostile caller does, by name. Those that begin with "upstream" need the upstream to be noisy. */
export const ATTACKS = {
  "slow calls": (one) => one.hold(1_100, () => callOf("main__hangs", { call: LONG })),
  streams: (one) => one.hold(1_024, () => listen),
  "answers without an end": (one) => one.hold(200, () => callOf("noisy__endless", { call: LONG })),
  "invented sessions": (one) =>
    one.flood(PER_SECOND, (n) => ({
      body: JSON.stringify({ jsonrpc: "2.0", id: n, method: "tools/call", params: { name: "old__ok", arguments: {} } }),
      headers: { ...sessionHeaders, "mcp-session-id": `invented-${n}-${Math.random()}` },
    })),
  "unknown keys": (one) =>
    one.flood(
      PER_SECOND,
      () => callOf("main__ok"),
      (n) => `rk_unknown_${n}_${Math.random().toString(36).slice(2)}`,
    ),
  "deep messages": (one) => one.flood(PER_SECOND / 10, () => ({ body: deep, headers: callHeaders("main__ok") })),
  "echoed arguments": (one) => one.flood(PER_SECOND, (n) => callOf("noisy__echoes", { args: { text: encoded, n } })),
  "forged faults": (one) => one.flood(PER_SECOND, () => callOf("noisy__forges")),
  "large keyed arguments": (one) =>
    one.flood(1, (n) => callOf("main__pays", { args: manyMembers, call: { key: `large-${n}-${Math.random()}` } })),
  "new keys": (one) =>
    one.flood(PER_SECOND, (n) =>
      callOf("main__pays", { args: { n }, call: { key: `new-${n}-${Math.random()}`, deadlineMs: 3_000_000_000 } }),
    ),
  "results with NUL": (one) =>
    one.flood(PER_SECOND, (n) => callOf("main__nul", { call: { key: `nul-${n}-${Math.random()}` } })),
  "undecided approvals": (one) =>
    one.flood(PER_SECOND, (n) => callOf("main__approved", { args: { n, text: "x".repeat(10_000) } })),
  notifications: (one) => one.hold(50, () => callOf("noisy__notifies", { call: LONG })),
  "child that floods": (one) => one.hold(4, () => callOf("child__floods", { call: { deadlineMs: 5_000 } })),
  "upstream lists": async (one) => one.hold(0, () => listen),
} as const satisfies Record<string, Attack>;

export type AttackName = keyof typeof ATTACKS;

/** Attacks until the signal is aborted. */
export function attack(name: AttackName, context: AttackContext): Promise<void> {
  return ATTACKS[name](new Attacker(context));
}

// Calls with more in their params than their method has, with approvals, keys and rounds, against an upstream that looks at
// everything that reaches it. Two callers try each other's rounds, and a person approves some of the calls.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { startGateway } from "@recourse/gateway";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { httpUpstream, testConfig } from "../../../packages/gateway/test/support/config.ts";
import { mutateJson } from "./mutate.ts";
import type { Random } from "./random.ts";

type Json = Readonly<Record<string, unknown>>;

const OPERATOR = "operator-5c1f0d7a";
const CALLERS = ["rk_params_0_9f1c", "rk_params_1_77ab"];
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
/** What may reach the upstream. */
const PARAMS = ["name", "arguments", "_meta", "inputResponses", "requestState"];
const META = ["progressToken", "traceparent", "tracestate", "baggage", "recourse/call", VERSION, CAPABILITIES];
const MORE = ["io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/logLevel"];
const CACHED = { resultType: "complete", ttlMs: 60_000, cacheScope: "private" };
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });
const LISTS: Readonly<Record<string, object>> = {
  "server/discover": {
    ...CACHED,
    supportedVersions: ["2026-07-28"],
    serverInfo: { name: "params", version: "1.0.0" },
    capabilities: { tools: {} },
  },
  "tools/list": { ...CACHED, tools: [tool("pay"), tool("send")] },
};
const APPROVE_EVERY_MS = 50;
const EXPIRES_MS = 5_000;

/** What came of a run. */
export interface ParamsRun {
  readonly problems: readonly string[];
  /** How many calls were made, reached the upstream, were approved, and were answers within a round. */
  readonly counts: Readonly<Record<"sent" | "received" | "approved" | "rounds" | "refused", number>>;
}

/** Calls until the time is over. */
export async function fuzzParams(random: Random, endMs: number): Promise<ParamsRun> {
  const problems: string[] = [];
  const counts = { sent: 0, received: 0, approved: 0, rounds: 0, refused: 0 };
  /** Tenant and arguments that a person has approved. */
  const approved = new Set<string>();
  /** States that callers were given. */
  const states: string[] = [];
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");

  const upstream = await listenOnLoopback(createServer((request, response) => void serve(request, response)));
  const caller = { id: "k", tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
  const gateway = await startGateway(
    testConfig({
      authentication: "required",
      keys: CALLERS.map((key, at) => ({ ...caller, tenant: String(at), sha256: digest(key) })),
      upstreams: [httpUpstream(upstream.url)],
      idempotency: { keepMs: 1_000 },
      approvals: { tools: ["up__pay"], denied: [], expiresMs: EXPIRES_MS, link: undefined },
      admin: {
        listen: { host: "127.0.0.1", port: 0 },
        keys: [{ id: "o", role: "approver", sha256: digest(OPERATOR) }],
      },
      drainMs: 1_000,
    }),
  );
  const isOver = () => performance.now() >= endMs || problems.length >= 20;
  await Promise.all([approve(), ...CALLERS.map((_, who) => call(who))]);
  await gateway.close();
  await upstream.close();
  return { problems, counts };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { id, method, params } = JSON.parse(text) as { id: unknown; method: string; params: Json };
    const result = LISTS[method] ?? resultOf(params, text);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }

  /** Looks at a call, and asks for input, fails, or is done. */
  function resultOf(params: Json, text: string): object {
    counts.received += 1;
    const problem = problemOf(params);
    if (problem !== undefined) problems.push(`${problem}: ${text.slice(0, 1_000)}`);
    if (params["requestState"] !== undefined) counts.rounds += 1;
    if (random.once(3)) {
      const inputRequests = { a: { method: "elicitation/create", params: { mode: "form", message: "?" } } };
      return { resultType: "input_required", inputRequests, requestState: stateOf(params) };
    }
    return { resultType: "complete", content: [{ type: "text", text: "done" }], isError: random.once(4) };
  }

  function problemOf(params: Json): string | undefined {
    const meta = (params["_meta"] ?? {}) as Json;
    const stranger = Object.keys(params).find((name) => !PARAMS.includes(name));
    if (stranger !== undefined) return `the member ${stranger} got through`;
    const strange = Object.keys(meta).find((name) => !META.includes(name) && !MORE.includes(name));
    if (strange !== undefined) return `the member ${strange} of _meta got through`;
    const { key = "0".repeat(64) } = (meta["recourse/call"] ?? {}) as { readonly key?: unknown };
    if (!/^[0-9a-f]{64}$/.test(String(key))) return "a key got through as it was";
    const state = params["requestState"];
    if (state === undefined && params["inputResponses"] !== undefined) return "answers without a round";
    // Mutated calls do not say who makes them.
    const who = meta["progressToken"];
    if (who !== "0" && who !== "1") return undefined;
    if (state !== undefined && state !== stateOf(params)) return "the round of another call";
    const isApproved = params["name"] !== "pay" || approved.has(`${who} ${JSON.stringify(params["arguments"] ?? {})}`);
    return isApproved ? undefined : "a call that nobody approved";
  }

  /** Names the call that a round belongs to. */
  function stateOf({ name, arguments: args = {}, _meta: meta = {} }: Json): string {
    const { progressToken, "recourse/call": facts = {} } = meta as Json;
    return JSON.stringify([progressToken, name, args, (facts as Json)["key"] ?? null]);
  }

  async function approve(): Promise<void> {
    const headers = { authorization: `Bearer ${OPERATOR}`, "content-type": "application/json" };
    for (; !isOver(); await wait(APPROVE_EVERY_MS)) {
      const answer = await fetch(`${gateway.adminUrl?.href}/approvals?state=pending`, { headers });
      const { items } = (await answer.json()) as { readonly items: readonly Record<string, string>[] };
      for (const { id, tenant, arguments: args = "" } of items) {
        const isYes = !random.once(4);
        // Before the gateway knows it: the call may come at once.
        if (isYes) approved.add(`${tenant} ${args}`);
        counts.approved += Number(isYes);
        const body = JSON.stringify({ approve: isYes });
        await fetch(`${gateway.adminUrl?.href}/approvals/${id}/decision`, { method: "POST", headers, body });
      }
    }
  }

  async function call(who: number): Promise<void> {
    /** The call that answers the last one, in good order. */
    let next: Json | undefined;
    while (!isOver()) {
      const sent = next ?? paramsOf(who);
      const params = (random.once(5) ? mutateJson(random, sent) : sent) as Json;
      const name = params?.["name"];
      const answer = await fetch(gateway.url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${CALLERS[who]}`,
          "content-type": "application/json",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": typeof name === "string" && /^[\w-]+$/.test(name) ? name : "x",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      const text = await answer.text();
      counts.sent += 1;
      if (answer.status >= 500) problems.push(`${text.slice(0, 500)}: ${JSON.stringify(params).slice(0, 500)}`);
      if (text.includes("request_state_invalid") || text.includes("malformed_call")) counts.refused += 1;
      const state = (JSON.parse(text) as { result?: Json }).result?.["requestState"];
      const isAnswered = typeof state === "string" && random.once(2);
      next = isAnswered ? { ...params, requestState: state, inputResponses: { a: { action: "accept" } } } : undefined;
      if (typeof state === "string") states.push(state);
      if (states.length > 20) states.shift();
    }
  }

  function paramsOf(who: number): Json {
    const key = random.pick([undefined, undefined, `k${random.below(20)}`]);
    const facts = key === undefined ? {} : { "recourse/call": { key } };
    const meta = { [VERSION]: "2026-07-28", [CAPABILITIES]: {}, progressToken: String(who), ...facts };
    const state = random.pick([...states, "", "r1.1.99999999999.x.", `${states.at(-1)}x`]);
    const responses = random.pick<unknown>([{ a: { action: "accept" } }, { recourse_approval: {} }, {}, null, 7]);
    return {
      // The canonical order, in which approvals show them.
      arguments: random.pick<unknown>([{ n: 5, to: "ACME" }, { n: 500, to: "ACME" }, {}]),
      name: random.pick(["up__pay", "up__send"]),
      _meta: random.once(8) ? { ...meta, amount: 500, "com.example/role": "admin", baggage: { amount: 500 } } : meta,
      ...(random.once(3) && { requestState: state }),
      ...(random.once(3) && { inputResponses: responses }),
      ...(random.once(8) && { amount: 500 }),
      ...(random.once(12) && { task: { ttl: 1 } }),
    };
  }
}

// A gateway that answers in qaqnuz, before a server that nobody guarded and one that is down.
import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { toNodeListener } from "@recourse/core/server";
import { eventually } from "@recourse/test-kit/eventually";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { z } from "zod";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { sha256Hex } from "../../src/call/binding.ts";
import type { GatewayConfig, KeyConfig, UpstreamConfig } from "../../src/config/types.ts";
import { type GatewayOptions, startGateway } from "../../src/gateway.ts";
import { httpUpstream, testConfig } from "../support/config.ts";

/** What the tools of the server throw or answer with. */
export const TEXTS = {
  accident: "connect ECONNREFUSED postgres://app:hunter2@db.internal:5432/prod for ada@example.com",
  stack: "TypeError: x is undefined\n    at charge (/srv/shop/dist/charge.js:14:9)",
  provider: 'Stripe: {"error":{"code":"card_declined","request_id":"req_8fG2k"}}',
} as const;

/** Parts of these texts that no caller may read. */
export const CANARIES = ["hunter2", "db.internal", "ada@example.com", "charge.js", "req_8fG2k", "5432"] as const;

/** The keys of the callers: one may do everything, one sees nothing. */
export const CALLERS = { full: createApiKey().key, narrow: createApiKey().key } as const;

const KEYS: readonly KeyConfig[] = Object.entries(CALLERS).map(([id, key]) => ({
  id,
  tenant: "acme",
  sha256: sha256Hex(key),
  tools: id === "full" ? ["*"] : [],
  scopes: [],
  entitlements: [],
  dialect: "qaqnuz",
}));

/** Tools whose failures are texts, as servers without a guard write them. */
const THROWING: Readonly<Record<string, string>> = {
  accident: TEXTS.accident,
  stack: TEXTS.stack,
  provider: TEXTS.provider,
};

function buildServer(counts: Map<string, number>): McpServer {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, text] of Object.entries(THROWING)) {
    server.registerTool(name, { description: name }, () => {
      count(name);
      throw new Error(text);
    });
  }
  for (const name of ["limited", "hidden", "scoped", "entitled", "refund", "wipe"]) {
    server.registerTool(name, { description: name }, () => {
      count(name);
      return { content: [{ type: "text", text: "done" }] };
    });
  }
  const inputSchema = z.object({ order_id: z.string(), quantity: z.number().int().min(1) });
  server.registerTool("refuse", {}, () => {
    count("refuse");
    return { isError: true, content: [{ type: "text", text: "Card 4242 was declined by Stripe." }] };
  });
  server.registerTool("big_number", {}, () => ({
    content: [],
    structuredContent: { n: 7 },
    _meta: { "shop/page": 1 },
  }));
  server.registerTool("cancel_order", { inputSchema }, ({ order_id }) => {
    count("cancel_order");
    return { content: [{ type: "text", text: `Order ${order_id} is cancelled.` }] };
  });
  return server;
}

/** Long enough for the slowest machine. */
const PATIENT_MS = 600_000;
const COMMON = { era: "auto", timeoutMs: PATIENT_MS } as const;
const RULE = { hidden: false, scopes: [], entitlement: undefined, cost: 1 };

/** A running gateway, and how often each tool behind it has run. */
export interface RunningGateway extends AsyncDisposable {
  readonly url: URL;
  readonly adminUrl: URL | undefined;
  runs(tool: string): number;
}

/** Starts both servers and the gateway. */
export async function startQaqnuzGateway(
  changes: Partial<GatewayConfig> = {},
  options: GatewayOptions = {},
  foreignText: UpstreamConfig["foreignText"] = undefined,
): Promise<RunningGateway> {
  const counts = new Map<string, number>();
  const shop = await listenOnLoopback(createServer(toNodeListener(createMcpHandler(() => buildServer(counts)))));
  const down = await listenOnLoopback(createServer(toNodeListener(createMcpHandler(() => buildServer(counts)))));
  const gateway = await startGateway(
    testConfig({
      authentication: "required",
      keys: KEYS,
      drainMs: 0,
      deadlineMs: PATIENT_MS,
      upstreams: [
        httpUpstream(shop.url, { ...COMMON, name: "shop", prefix: "shop__", foreignText }),
        httpUpstream(down.url, { ...COMMON, name: "down", prefix: "down__", foreignText: undefined }),
      ],
      tools: [
        { ...RULE, pattern: "shop__hidden", hidden: true },
        { ...RULE, pattern: "shop__scoped", scopes: ["orders:write"] },
        { ...RULE, pattern: "shop__entitled", entitlement: "exports" },
      ],
      limits: {
        ...testConfig().limits,
        tools: [{ pattern: "shop__limited", rate: { perSecond: 1 / 60, burst: 1 } }],
      },
      ...changes,
    }),
    { sink: () => {}, ...options },
  );
  // Its list is known from here on, and so is that it is away.
  await waitForLists(gateway.url, CALLERS.full);
  await down.close();
  return {
    url: gateway.url,
    adminUrl: gateway.adminUrl,
    runs: (tool) => counts.get(tool) ?? 0,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await shop.close();
    },
  };
}

function waitForLists(url: URL, key: string): Promise<void> {
  const ready = new URL("/ready", url);
  return eventually(async () => {
    const { ok } = await fetch(ready, { headers: { authorization: `Bearer ${key}` } });
    if (!ok) throw new Error("the gateway is not ready");
  });
}

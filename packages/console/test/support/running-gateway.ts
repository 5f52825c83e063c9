// A gateway as people run it: a file, an upstream that is a real MCP server, callers with keys, and the console in Chromium.
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { toNodeListener } from "@recourse/core/server";
import { type Gateway, loadConfig, startGateway } from "@recourse/gateway";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { withBuiltConsole } from "../../scenes/built-console.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The keys of the operators, by role. */
export const OPERATOR_KEYS = {
  viewer: "rk_viewer_0123456789abcdef",
  approver: "rk_approver_0123456789abcdef",
  admin: "rk_admin_0123456789abcdef",
} as const;
const CALLER_KEYS = { "agent-eu": "ck_agent_0123456789abcdef", "nightly-sync": "ck_sync_0123456789abcdef" } as const;
type CallerId = keyof typeof CALLER_KEYS;

/** The server behind the gateway: order 7 is found, order 8 breaks, refunds are made. */
class Shop {
  readonly refunds: unknown[] = [];
  #server: Server | undefined;
  #port = 0;

  get isRunning(): boolean {
    return this.#server !== undefined;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  async start(): Promise<void> {
    const handler = createMcpHandler(() => this.#create());
    this.#server = createServer(toNodeListener((request: Request) => handler.fetch(request)));
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** It is gone, as after a crash. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  #create(): McpServer {
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    server.registerTool(
      "find_order",
      { title: "Find an order", inputSchema: z.object({ order: z.number() }), annotations: { readOnlyHint: true } },
      async ({ order }) => {
        if (order === 8) throw new Error("connect ECONNREFUSED postgres://app:orders-pass-77@10.0.0.5/orders");
        return { content: [{ type: "text", text: `Order ${order}: two books, shipped.` }] };
      },
    );
    server.registerTool(
      "refund",
      { title: "Refund", inputSchema: z.object({ order: z.number(), amount: z.number(), reason: z.string() }) },
      async (given) => {
        this.refunds.push(given);
        return { content: [{ type: "text", text: "Refunded." }] };
      },
    );
    return server;
  }
}

/** What a running gateway is made of. */
export interface RunningOptions {
  /** The option `store` of the file. @default memory */
  readonly store?: string;
  /** The option `limits.key` of the file. @default 20 a second, 40 at once */
  readonly limit?: string;
  /** The server behind it, if another gateway has it as well. @default one of its own */
  readonly shop?: Shop;
}

/** A running gateway and all around it. */
export interface RunningGateway {
  readonly gateway: Gateway;
  readonly shop: Shop;
  /** Where the console begins. */
  readonly console: string;
  /** The text of its file, with changes. */
  file(changes?: (text: string) => string): string;
  reload(changes: (text: string) => string): Promise<void>;
  /** A tool call of a caller, by the official client. */
  call(
    tool: string,
    args: Record<string, unknown>,
    caller?: CallerId,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
}

/** Starts a gateway with a shop behind it. Everything ends with the test. */
export async function startRunningGateway({
  store = "memory",
  limit = "{ rate: 20/s, burst: 40 }",
  shop = new Shop(),
}: RunningOptions = {}): Promise<RunningGateway> {
  if (!shop.isRunning) await shop.start();
  onTestFinished(() => shop.stop());
  const secret = store === "memory" ? "" : ', secret: "a secret of at least thirty-two characters"';
  const text = `
name: edge
listen: 127.0.0.1:0
store: ${store}
keys:
${Object.entries(CALLER_KEYS)
  .map(([id, key]) => `  - { id: ${id}, tenant: acme, sha256: "${sha256(key)}" }`)
  .join("\n")}
upstreams:
  shop: { url: "${shop.url}" }
limits:
  key: ${limit}
approvals:
  tools: [shop__refund]
breaker: { failures: 5, pause: 10m, maxPause: 10m }
drain: 1ms
admin:
  listen: 127.0.0.1:0
  keys:
${Object.entries(OPERATOR_KEYS)
  .map(([role, key]) => `    - { id: the-${role}, role: ${role}, sha256: "${sha256(key)}" }`)
  .join("\n")}
  console: { idle: 30m${secret} }
telemetry: { log: silent }
`;
  const load = (given: string) => {
    const loaded = loadConfig(given, { environment: {} });
    if (!("config" in loaded)) throw new Error(JSON.stringify(loaded));
    return loaded.config;
  };
  const gateway = await withBuiltConsole((consoleFolder) => startGateway(load(text), { consoleFolder }));
  onTestFinished(() => gateway.close());
  const clients = new Map<CallerId, Promise<Client>>();
  onTestFinished(
    async () => void (await Promise.allSettled([...clients.values()].map(async (client) => (await client).close()))),
  );
  const connect = async (caller: CallerId) => {
    const client = new Client({ name: "support-agent", version: "2.4.0" });
    const requestInit = { headers: { authorization: `Bearer ${CALLER_KEYS[caller]}` } };
    await client.connect(new StreamableHTTPClientTransport(gateway.url, { requestInit }));
    return client;
  };
  const clientOf = (caller: CallerId) => {
    const client = clients.get(caller) ?? connect(caller);
    clients.set(caller, client);
    return client;
  };
  return {
    gateway,
    shop,
    console: `${gateway.adminUrl?.origin}/console/`,
    file: (changes = (same) => same) => changes(text),
    reload: (changes) => gateway.reload(load(changes(text))),
    async call(tool, args, caller = "agent-eu") {
      const client = await clientOf(caller);
      try {
        const result = await client.callTool({ name: tool, arguments: args });
        const content = result.content as readonly { readonly text?: string }[];
        return { text: content.map((part) => part.text ?? "").join("\n"), isError: result.isError === true };
      } catch (error) {
        return { text: String(error), isError: true };
      }
    },
  };
}

/** Signs in, as a person does. Gives the page that was asked for. */
export async function signIn(
  context: BrowserContext,
  address: string,
  role: keyof typeof OPERATOR_KEYS = "admin",
): Promise<Page> {
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(address);
  await page.locator("input[type=password]").fill(OPERATOR_KEYS[role]);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
  return page;
}

/** The id in what a caller was told. */
export function incidentIn(text: string): string {
  const id = /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/.exec(text)?.[0];
  if (id === undefined) throw new Error(`no incident in: ${text}`);
  return id;
}

/** What a person did, with a stopwatch. */
export class Task {
  readonly #page: Page;
  readonly #startedMs = performance.now();
  clicks = 0;
  keys = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(name: RegExp | string, role: "button" | "link" = "button", inside?: Locator): Promise<void> {
    this.clicks += 1;
    await (inside ?? this.#page).getByRole(role, { name }).first().click();
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.#page.keyboard.press(key);
  }

  end(question: string): void {
    const seconds = (performance.now() - this.#startedMs) / 1_000;
    console.log(`${question}: ${seconds.toFixed(1)} s, ${this.clicks} clicks, ${this.keys} keys`);
  }
}

/** An open breaker: five calls in a row that no server answers. */
export async function breakShop({ shop, call }: RunningGateway): Promise<void> {
  await call("shop__find_order", { order: 7 });
  await shop.stop();
  for (let tries = 0; tries < 6; tries++) await call("shop__find_order", { order: 7 });
}

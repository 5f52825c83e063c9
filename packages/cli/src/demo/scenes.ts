// The scenes of the demo, with the same server twice: with the official SDK alone, and with one line more.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, DEFAULT_REQUEST_TIMEOUT_MSEC, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { guard, toNodeListener } from "@recourse/core/server";
import { type Payment, playPayment } from "./payment.ts";

/** Two answers to the same call. */
interface BothAnswers {
  readonly bare: ShopAnswer;
  readonly guarded: ShopAnswer;
}

/** The scenes of the demo. Each plays when it is called. */
export interface Scenes {
  leak(): Promise<BothAnswers>;
  unsendable(): Promise<BothAnswers>;
  payment(): Promise<{ readonly without: Payment; readonly with: Payment }>;
  readonly facts: SceneFacts;
  close(): Promise<void>;
}

/** What the narrator has to know. */
export interface SceneFacts {
  /** The password that the failing tool uses. */
  readonly password: string;
  /** How long the demo waits for an answer that does not come. */
  readonly waitMs: number;
  /** How long the official client waits by itself. */
  readonly clientWaitMs: number;
}

/** Opens both shops. */
export async function openScenes(given: { readonly now: () => number; readonly signal: AbortSignal }): Promise<Scenes> {
  const bare = await openShop("bare", given);
  const guarded = await openShop("guarded", given).catch(async (thrown: unknown) => {
    await bare.close();
    throw thrown;
  });
  const both = async (call: (shop: Shop) => Promise<ShopAnswer>): Promise<BothAnswers> => ({
    bare: await call(bare),
    guarded: await call(guarded),
  });
  return {
    facts: FACTS,
    leak: () => both((shop) => shop.call("sales_report", { waitMs: FACTS.clientWaitMs })),
    unsendable: () => both((shop) => shop.call("count_orders", { waitMs: FACTS.waitMs })),
    payment: async () => ({
      without: await playPayment("without Recourse", given.signal),
      with: await playPayment("with Recourse", given.signal),
    }),
    async close() {
      await bare.close();
      await guarded.close();
    },
  };
}

/** What a client got from a call. */
interface ShopAnswer {
  /** What a model would read. */
  readonly text: string;
  /** Whether the server answered at all. */
  readonly answered: boolean;
  readonly ms: number;
}

/** A running shop, and a client that is connected to it. */
interface Shop {
  call(tool: keyof typeof SHOP_TOOLS, options: { readonly waitMs: number }): Promise<ShopAnswer>;
  close(): Promise<void>;
}

/** The password that the failing tool uses. */
export const PASSWORD = "s3cr3t-Pa55";

/** The tools: one fails as programs fail, one returns what JSON cannot carry. */
const SHOP_TOOLS = {
  async sales_report() {
    const report = await fetch(`http://report:${PASSWORD}@10.0.0.5/sales`);
    return { content: [{ type: "text", text: await report.text() }] };
  },
  async count_orders() {
    return { content: [], structuredContent: { orders: 12n } };
  },
} as const satisfies Record<string, () => Promise<object>>;

/** What stands between `new McpServer` and its tools. */
const KITS = {
  bare: (server: McpServer) => server,
  // The incident would go to stderr, in the middle of the show.
  guarded: (server: McpServer) => guard(server, { sink: () => {} }),
} as const;

/** Opens a shop on a free port of this machine. */
async function openShop(
  kit: keyof typeof KITS,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<Shop> {
  const handler = createMcpHandler(() => {
    const server = KITS[kit](new McpServer({ name: "shop", version: "1.0.0" }));
    for (const [name, run] of Object.entries(SHOP_TOOLS)) server.registerTool(name, {}, run as never);
    return server;
  });
  const http = createServer(toNodeListener(handler));
  await once(http.listen(0, "127.0.0.1"), "listening");
  const client = new Client({ name: "demo", version: "1.0.0" });

  async function close(): Promise<void> {
    await client.close();
    await handler.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
  try {
    const { port } = http.address() as AddressInfo;
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)), { signal });
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    close,
    async call(tool, { waitMs }) {
      const from = now();
      try {
        const { content } = await client.callTool({ name: tool }, { timeout: waitMs, signal });
        const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");
        return { text, answered: true, ms: now() - from };
      } catch (thrown) {
        return { text: thrown instanceof Error ? thrown.message : String(thrown), answered: false, ms: now() - from };
      }
    },
  };
}

const FACTS: SceneFacts = { password: PASSWORD, waitMs: 2_000, clientWaitMs: DEFAULT_REQUEST_TIMEOUT_MSEC };

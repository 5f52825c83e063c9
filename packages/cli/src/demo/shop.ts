// The same server twice: with the official SDK alone, and with one line more.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { guard, toNodeListener } from "@recourse/faults/server";

/** What a client got from a call. */
export interface Got {
  /** What a model would read. */
  readonly text: string;
  /** Whether the server answered at all. */
  readonly answered: boolean;
  readonly ms: number;
}

/** A running shop, and a client that is connected to it. */
export interface Shop {
  call(tool: keyof typeof TOOLS, options: { readonly waitMs: number }): Promise<Got>;
  close(): Promise<void>;
}

/** The password that the failing tool uses. */
export const PASSWORD = "s3cr3t-Pa55";

/** The tools: one fails as programs fail, one returns what JSON cannot carry. */
const TOOLS = {
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
export async function openShop(
  kit: keyof typeof KITS,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<Shop> {
  const handler = createMcpHandler(() => {
    const server = KITS[kit](new McpServer({ name: "shop", version: "1.0.0" }));
    for (const [name, run] of Object.entries(TOOLS)) server.registerTool(name, {}, run as never);
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

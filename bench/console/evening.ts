// A gateway with a console and an upstream that fails as often as it is asked to.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadConfig, startGateway } from "@recourse/gateway";
import { toolCallRequest } from "@recourse/test-kit/loopback";

/** The key of the operator. */
export const OPERATOR_KEY = "rk_bench_0123456789abcdef";

/** A gateway to look at. */
export interface Evening {
  /** Where the console begins. */
  readonly console: string;
  /** Calls that fail, so many a second. */
  fail(options: { readonly seconds: number; readonly perSecond: number }): Promise<void>;
  close(): Promise<void>;
}

const TOOLS = Array.from({ length: 12 }, (_, index) => `tool_${index}`);

/** Starts it, with store: memory. */
export async function openEvening({ consoleFolder }: { readonly consoleFolder: string }): Promise<Evening> {
  const upstream = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      const { id, method } = JSON.parse(text || "{}") as { id?: unknown; method?: string };
      if (method === "tools/call") return response.writeHead(500).end("out of memory");
      const results: Readonly<Record<string, object>> = {
        initialize: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "shop", version: "1.0.0" },
        },
        "tools/list": { tools: TOOLS.map((name) => ({ name, inputSchema: { type: "object" } })) },
      };
      response.writeHead(id === undefined ? 202 : 200, { "content-type": "application/json" });
      response.end(id === undefined ? "" : JSON.stringify({ jsonrpc: "2.0", id, result: results[method ?? ""] ?? {} }));
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = upstream.address() as AddressInfo;
  const sha256 = createHash("sha256").update(OPERATOR_KEY).digest("hex");
  const loaded = loadConfig(
    `
name: edge
listen: 127.0.0.1:0
store: memory
authentication: none
upstreams: { shop: { url: "http://127.0.0.1:${port}/mcp", era: "2025-11-25" } }
breaker: { enabled: false }
admin: { listen: "127.0.0.1:0", console: true, keys: [{ id: bench, role: admin, sha256: "${sha256}" }] }
telemetry: { log: silent }
`,
    { environment: {} },
  );
  if (!("config" in loaded)) throw new Error(JSON.stringify(loaded));
  const gateway = await startGateway(loaded.config, { consoleFolder });
  const call = async (number: number) => {
    const tool = `shop__${TOOLS[number % TOOLS.length]}`;
    const response = await fetch(gateway.url, toolCallRequest({ tool }));
    await response.arrayBuffer();
  };
  return {
    console: `${gateway.adminUrl?.origin}/console/`,
    async fail({ seconds, perSecond }) {
      const endMs = performance.now() + seconds * 1_000;
      for (let number = 0; performance.now() < endMs; number++) {
        const startedMs = performance.now();
        await call(number);
        await new Promise((resolve) =>
          setTimeout(resolve, Math.max(0, 1_000 / perSecond - (performance.now() - startedMs))),
        );
      }
    },
    async close() {
      await gateway.close();
      upstream.closeAllConnections();
      await new Promise((resolve) => upstream.close(resolve));
    },
  };
}

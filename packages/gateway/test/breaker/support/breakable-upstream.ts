// An MCP server of the newer era that fails when it is told to, and counts its calls.

import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listenOnLoopback } from "@recourse/test-kit/loopback";

export interface BreakableUpstream {
  readonly url: URL;
  fail(): void;
  recover(): void;
  /** Calls that have failed so far. */
  failed(): number;
  /** Calls at this moment. */
  inFlight(): number;
  /** From now on calls are counted as probes, up to the first that succeeds. */
  watch(): void;
  watched(): { readonly probes: number; readonly mostAtOnce: number };
  close(): Promise<void>;
}

const PREPARED: Readonly<Record<string, object>> = {
  "server/discover": { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
  "tools/list": { resultType: "complete", tools: [{ name: "echo", inputSchema: { type: "object" } }], ttlMs: 600_000 },
};
/** Long enough for two probes to meet, if there were two. A longer time would only let more of them meet. */
const FAILING_MS = 30;

/** Starts the server on a free port. */
export async function startBreakableUpstream(): Promise<BreakableUpstream> {
  let isFailing = false;
  let isWatching = false;
  let failed = 0;
  let inFlight = 0;
  let probes = 0;
  let mostAtOnce = 0;
  const server = createServer(async (incoming, response) => {
    let text = "";
    for await (const chunk of incoming) text += chunk;
    const { id, method } = JSON.parse(text) as { readonly id: unknown; readonly method: string };
    const answer = (result: object) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    const prepared = PREPARED[method];
    if (prepared !== undefined) return answer(prepared);
    inFlight += 1;
    if (isWatching) {
      probes += 1;
      mostAtOnce = Math.max(mostAtOnce, inFlight);
    }
    // A server that answers late on purpose.
    if (isFailing || isWatching) await sleep(FAILING_MS);
    inFlight -= 1;
    if (isFailing) {
      failed += 1;
      response.writeHead(503).end();
    } else {
      isWatching = false;
      answer({ resultType: "complete", content: [{ type: "text", text: "ok" }] });
    }
  });
  return {
    ...(await listenOnLoopback(server)),
    fail() {
      isFailing = true;
    },
    recover() {
      isFailing = false;
    },
    failed: () => failed,
    inFlight: () => inFlight,
    watch() {
      isWatching = true;
      probes = 0;
      mostAtOnce = 0;
    },
    watched: () => ({ probes, mostAtOnce }),
  };
}

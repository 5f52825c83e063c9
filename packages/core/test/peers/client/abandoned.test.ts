import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { afterEach, expect, test } from "vitest";
import { observeTransport, recourse } from "../../../src/client/index.ts";
import { connectObserved } from "./observed/call-server.ts";

let http: Server;
const open = new Set<object>();

afterEach(async () => {
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
  open.clear();
});

/** A server that answers everything but tool calls; those get a stream that never brings an answer. */
async function silent(ids: boolean): Promise<URL> {
  http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = JSON.parse(Buffer.concat(chunks).toString() || "{}") as { id?: number; method?: string };
    if (request.method === "GET") return void response.writeHead(405).end();
    if (message.method === "tools/call") {
      open.add(response);
      response.on("close", () => open.delete(response));
      response.writeHead(200, { "content-type": "text/event-stream" });
      return void response.write(
        ids ? 'id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n' : ": wait\n\n",
      );
    }
    if (message.id === undefined) return void response.writeHead(202).end();
    const result =
      message.method === "initialize"
        ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }
        : {
            resultType: "complete",
            supportedVersions: ["2026-07-28"],
            protocolVersions: ["2026-07-28"],
            capabilities: { tools: {} },
            serverInfo: { name: "s", version: "1" },
            ttlMs: 0,
            cacheScope: "private",
          };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
}

const CASES = ERAS.flatMap((era): [Era, boolean][] => [
  [era, false],
  [era, true],
]);

test.each(CASES)("%s: a call that timed out leaves no stream open (events with ids: %s)", async (era, ids) => {
  const transport = observeTransport();
  const client = await connectObserved(era, await silent(ids), transport);
  const mcp = recourse(client as never, { transport });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => mcp.call("wait", {}, { deadlineMs: 150 })));
  expect(outcomes.every((outcome) => !outcome.ok && outcome.fault.reason === "core/timeout")).toBe(true);
  await expect.poll(() => open.size, { timeout: 5_000 }).toBe(0);
  await client.close();
});

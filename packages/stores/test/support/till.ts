// A guarded server that shares idempotency keys with others.
import { appendFileSync, existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { core } from "@recourse/core/reasons";
import { guard, type IdempotencyStore, memoryIdempotency } from "@recourse/core/server";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import * as z from "zod";
import { connect } from "./engines.ts";
import type { WorkerSetup } from "./worker-process.ts";

/** A running server. */
export interface Till {
  readonly url: URL;
  close(): Promise<void>;
}

/** Starts a server. `onHandler` hears when the handler of a tool begins and ends. */
export async function startTill(
  { engine, url, folder, deadlineMs, leaseMs }: WorkerSetup,
  onHandler: (what: "begin" | "end") => void = () => {},
): Promise<Till> {
  const connected = engine === "memory" ? undefined : await connect(engine, url);
  const store: IdempotencyStore =
    connected?.store({ maxKeysPerCaller: 1e6 }) ??
    memoryIdempotency({ maxKeysPerCaller: Number.POSITIVE_INFINITY, maxKeys: 1e6 });
  // Nobody waits for the five seconds that the guard gives a call to end.
  const idempotency: IdempotencyStore = {
    begin: (key, digest, claim) => store.begin(key, digest, { ...claim, deadlineMs: leaseMs }),
    settle: (key, fence, outcome) => store.settle(key, fence, outcome),
    release: (key, fence) => store.release(key, fence),
  };
  const inputSchema = z.object({ item: z.string() });
  const record = (file: string, item: string) => appendFileSync(join(folder, file), `${item}\n`);
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  // Long enough to be disturbed in the middle.
  const somewhat = () => sleep(Math.random() * 250);
  let times = 0;

  const announced =
    <T>(run: (item: string) => Promise<T>) =>
    async ({ item }: { readonly item: string }) => {
      onHandler("begin");
      try {
        return await run(item);
      } finally {
        onHandler("end");
      }
    };

  const handler = createMcpHandler(() => {
    const server = guard(new McpServer({ name: "till", version: "1.0.0" }), {
      idempotency: { store: idempotency, caller: () => "ann", forwardsKey: (tool) => tool === "forward" },
      deadlineMs,
      sink: () => {},
    });
    // The effect is made here: it must not be made twice.
    server.registerTool(
      "pay",
      { inputSchema },
      announced(async (item) => {
        await somewhat();
        if (Math.random() < 0.1) throw core.conflict();
        record("paid", item);
        await somewhat();
        times += 1;
        return text(`paid ${item} as ${process.pid}-${times}`);
      }),
    );
    server.registerTool(
      "pay-late",
      { inputSchema },
      announced(async (item) => {
        record("begun", item);
        // How often it looks.
        while (!existsSync(join(folder, `go ${item}`))) await sleep(20);
        record("paid", item);
        return text(`paid ${item}`);
      }),
    );
    // The effect is made by a service that honours keys: it may be asked twice.
    server.registerTool(
      "forward",
      { inputSchema },
      announced(async (item) => {
        await somewhat();
        record("forwarded", item);
        await somewhat();
        return text(`forwarded ${item}`);
      }),
    );
    return server;
  });
  const handle = toNodeHandler(handler);
  const listening = await listenOnLoopback(
    createServer((request, response) => void handle(request as never, response)),
  );
  return {
    url: listening.url,
    close: async () => {
      await listening.close();
      await connected?.close();
    },
  };
}

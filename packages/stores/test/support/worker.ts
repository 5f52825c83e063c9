// One process of a guarded server whose processes share idempotency keys. It prints its address when it listens.
import { appendFileSync, existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { core } from "@recourse/faults";
import { guard, type IdempotencyStore, memoryIdempotency } from "@recourse/faults/server";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import * as z from "zod";
import { DEADLINE_MS, LEASE_MS, type WorkerSetup } from "./chaos.ts";
import { connect } from "./engines.ts";

const { engine, url, folder } = JSON.parse(process.argv[2] ?? "{}") as WorkerSetup;
const store: IdempotencyStore =
  engine === "memory"
    ? memoryIdempotency({ maxKeysPerCaller: Number.POSITIVE_INFINITY, maxKeys: 1e6 })
    : (await connect(engine, url)).store({ maxKeysPerCaller: 1e6 });
/** Nobody waits for the five seconds that the guard gives a call to end. */
const idempotency: IdempotencyStore = {
  begin: (key, digest, claim) => store.begin(key, digest, { ...claim, deadlineMs: LEASE_MS }),
  settle: (key, fence, outcome) => store.settle(key, fence, outcome),
  release: (key, fence) => store.release(key, fence),
};
const inputSchema = z.object({ item: z.string() });
const record = (file: string, item: string) => appendFileSync(join(folder, file), `${item}\n`);
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
const somewhat = () => sleep(Math.random() * 250);
let times = 0;

/** Tells the parent when the handler of a tool begins and ends, so that it can disturb a process in the middle of a call. */
const announced =
  <T>(run: (item: string) => Promise<T>) =>
  async ({ item }: { readonly item: string }) => {
    console.log("begin");
    try {
      return await run(item);
    } finally {
      console.log("end");
    }
  };

const handler = createMcpHandler(() => {
  const server = guard(new McpServer({ name: "till", version: "1.0.0" }), {
    idempotency: { store: idempotency, caller: () => "ann", forwardsKey: (tool) => tool === "forward" },

    deadlineMs: DEADLINE_MS,

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
const { url: address } = await listenOnLoopback(
  createServer((request, response) => void handle(request as never, response)),
);
console.log(address.href);
// The test has ended, or was ended.
process.stdin.on("end", () => process.exit()).resume();

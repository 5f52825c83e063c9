// A guarded server in a process of its own, whose calls fail in the way that the argument names: it prints its answers.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { FaultError, fail } from "../../src/index.ts";
import { core } from "../../src/reasons/index.ts";
import { declares, guard, guardTool, toFault } from "../../src/server/index.ts";

const TEXT = "the stock service at postgres://app:hunter2@10.0.0.7/stock did not answer within ten seconds";

const WAYS: Readonly<Record<string, () => unknown>> = {
  "a sentence": () => {
    throw new Error(`No stock: ${TEXT}`);
  },
  "a library": () => {
    throw Object.assign(new Error(TEXT), { code: "ECONNREFUSED", syscall: "connect", errno: -111 });
  },
  "a value": () => {
    throw fail.unavailable`No stock: ${TEXT}.`;
  },
  "a quotation": () => {
    throw core.conflict({}, { quote: { text: TEXT, from: "upstream" } });
  },
  "a cause": () => {
    throw fail.conflict({ cause: fail.unavailable`No stock: ${TEXT}.` })`The order stays open.`;
  },
  "a result": () => ({ content: [{ type: "text", text: TEXT }], isError: true }),
  "a fault in a result": () => {
    const { fault } = fail.unavailable`No stock: ${TEXT}.`;
    return { content: [{ type: "text", text: fault.message }], isError: true, _meta: { "recourse/fault": fault } };
  },
  "what toFault read": async () => {
    throw new FaultError(await toFault(new Error(TEXT), { foreignText: "quote" }));
  },
  "wrong arguments": () => ({ content: [] }),
  "no such tool": () => ({ content: [] }),
  "a wrong output": () => ({ content: [{ type: "text", text: 1n }] }),
};

const [way = "", times = "1"] = process.argv.slice(2);
const testing = {
  clock: { now: () => 1_750_000_000_000, monotonic: () => 0 },
  createId: () => "01JXXXXXXXXXXXXXXXXXXXXXXX",
};
const sink = () => {};
const server = guard(new McpServer({ name: "stock", version: "1.0.0" }), { testing, sink });
const inputSchema = z.object({ pieces: z.number().optional() });
server.registerTool(way, { inputSchema, _meta: declares(core.conflict) }, () => WAYS[way]?.() as never);
const ends = InMemoryTransport.createLinkedPair();
await server.connect(ends[1]);
const client = new Client({ name: "agent", version: "1.0.0" });
await client.connect(ends[0]);
const alone = guardTool(way, () => WAYS[way]?.(), { testing, sink });

const answers: unknown[] = [];
for (let call = 0; call < Number(times); call += 1) {
  const args = way === "wrong arguments" ? { pieces: TEXT } : {};
  const name = way === "no such tool" ? TEXT : way;
  answers.push(
    await client.callTool({ name, arguments: args }).catch(({ code, message, data }) => ({ code, message, data })),
  );
  answers.push(
    JSON.parse(JSON.stringify((await alone()) ?? null, (_, value) => (typeof value === "bigint" ? "1n" : value))),
  );
}
console.log(JSON.stringify({ ways: Object.keys(WAYS), first: answers.slice(0, 2), last: answers.slice(-2) }));
await client.close();

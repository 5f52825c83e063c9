// Calls the shop over stdio and prints what came of it. Usage: <runtime> stdio-client.ts v1|v2 command argument…

import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { observeTransport, type RecourseClient, recourse } from "@recourse/faults/client";
import { type Row, toRow } from "./calls.ts";

const [, , sdk, command = "", ...args] = process.argv;
const INFO = { name: "program", version: "1.0.0" };
const settings = { retry: { policy: { attempts: 1 }, breaker: false } } as const;

async function connect(): Promise<RecourseClient> {
  const transport = observeTransport();
  const parameters = { command, args, stderr: "pipe" } as const;
  if (sdk === "v1") {
    const client = new ClientV1(INFO);
    await client.connect(transport.child(new TransportV1(parameters)));
    return recourse(client, { ...settings, transport });
  }
  const client = new Client(INFO);
  await client.connect(transport.child(new StdioClientTransport(parameters)));
  return recourse(client, { ...settings, transport });
}

const mcp = await connect();
const rows: Row[] = [
  toRow("success", await mcp.call("cancel_order", { order: 7 })),
  toRow("stray print", await mcp.call("print")),
  toRow("fault of the tool", await mcp.call("cancel_order", { order: 9 })),
  toRow("error with a secret", await mcp.call("cancel_order", { order: 8 })),
  toRow("wrong arguments", await mcp.call("cancel_order", { order: "7" })),
  toRow("key", await mcp.call("pay", { cents: 1 }, { idempotencyKey: "one" })),
  toRow("same key again", await mcp.call("pay", { cents: 1 }, { idempotencyKey: "one" })),
  toRow("process ends", await mcp.call("crash")),
  toRow("process is gone", await mcp.call("print")),
];
console.log(JSON.stringify(rows));
process.exit(0);

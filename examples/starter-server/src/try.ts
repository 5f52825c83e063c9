// Calls the server the way a client does, and prints what the model reads: npm run try
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const CALLS = [
  { name: "get_order", arguments: { order: 7 } },
  { name: "get_order", arguments: { order: "seven" } },
  { name: "get_order", arguments: { order: 404 } },
  { name: "get_ordr", arguments: { order: 7 } },
  { name: "track_parcel", arguments: { order: 7 } },
  { name: "refund_order", arguments: { order: 9 } },
];

const client = new Client({ name: "try", version: "0.1.0" });
const main = join(import.meta.dirname, "main.ts");
await client.connect(new StdioClientTransport({ command: process.execPath, args: [main], stderr: "inherit" }));
for (const call of CALLS) {
  console.log(`\n> ${call.name} ${JSON.stringify(call.arguments)}`);
  console.log(await textOf(call));
}
await client.close();

async function textOf(call: (typeof CALLS)[number]): Promise<string> {
  try {
    const { content } = await client.callTool(call);
    return content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

// A client that knows the codes of the library: node --conditions=@recourse/source examples/own-dialect/run.ts
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { recourse } from "@recourse/faults/client";
import { library } from "./dialect.ts";

const server = fileURLToPath(new URL("server.ts", import.meta.url));
const args = ["--conditions=@recourse/source", server];
const client = new Client({ name: "reader", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args }));

const mcp = recourse(client, { server: { dialect: library } });
for (const isbn of ["9780262033848", "9780201896831", "9780131103627", "9780000000000"]) {
  const outcome = await mcp.call("lend", { isbn });
  if (outcome.ok) console.log("lent");
  else console.log(library.codes.codeOf(outcome.fault), outcome.fault.reason, outcome.fault.params ?? "");
}
const { tools } = await client.listTools();
console.log(tools[0]?._meta?.["recourse/codes"]);
await client.close();

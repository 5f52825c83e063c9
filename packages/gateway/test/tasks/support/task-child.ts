import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { buildTaskServer, createTaskParts } from "./task-tools.ts";

await buildTaskServer(createTaskParts()).connect(new StdioServerTransport());
// The store waits for the end of its tasks, and nobody else does.
process.stdin.once("end", () => process.exit());

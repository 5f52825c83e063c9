import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { buildTaskServer, createTaskParts } from "./task-tools.ts";

await buildTaskServer(createTaskParts()).connect(new StdioServerTransport());

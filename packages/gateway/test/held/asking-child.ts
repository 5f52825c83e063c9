// The asking server as a program: `node asking-child.ts v1|v2`.
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createAsker, createAskingLog } from "./asking-server.ts";

const [, , version] = process.argv;
const log = createAskingLog();
if (version === "v1") await createAsker("v1", log).connect(new StdioServerTransport() as never);
else serveStdio(() => createAsker("v2", log) as never);

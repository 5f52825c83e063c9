// The failing server as a process of its own over stdio: `node before-after-child.ts v1|v2 bare|guarded`.
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { failing } from "./server.ts";

const [, , version, manner] = process.argv;
const guarded = manner === "guarded";
if (version === "v1") await failing("v1", guarded).connect(new StdioServerTransport() as never);
else serveStdio(() => failing("v2", guarded) as never);

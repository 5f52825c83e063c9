// The failing server as a program: `node failing-server-stdio.ts v1|v2 bare|guarded`.
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createFailingServer } from "./failing-server.ts";

const [, , version, mode] = process.argv;
const guarded = mode === "guarded";
if (version === "v1") await createFailingServer("v1", { guarded }).connect(new StdioServerTransport() as never);
else serveStdio(() => createFailingServer("v2", { guarded }) as never);

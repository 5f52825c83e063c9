import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { guardStdin, guardStdout } from "@recourse/faults/server";
import { createServer } from "./guarded.ts";

guardStdout();
guardStdin();
serveStdio(createServer);

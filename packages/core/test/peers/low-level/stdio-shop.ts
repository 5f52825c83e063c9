// The shop as a process on stdio; the argument is the version of the SDK.
import { StdioServerTransport as StdioV1 } from "@modelcontextprotocol/sdk/server/stdio.js";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createShop } from "./shop.ts";

if (process.argv[2] === "v1") await createShop("v1").connect(new StdioV1());
else serveStdio(() => createShop("v2") as never);

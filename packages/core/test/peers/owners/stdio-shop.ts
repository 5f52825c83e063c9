// The shop as a process on stdio; the argument is the version of the SDK.
import { StdioServerTransport as StdioV1 } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StdioServerTransport as StdioV2 } from "@modelcontextprotocol/server/stdio";
import { createShop } from "./shop.ts";

const version = process.argv[2] === "v1" ? "v1" : "v2";
await createShop(version).connect(version === "v1" ? new StdioV1() : new StdioV2());

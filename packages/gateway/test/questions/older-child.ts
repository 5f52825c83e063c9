// The asking server as a program that speaks the older era only: `node older-child.ts v1|v2`.
import { StdioServerTransport as TransportV1 } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StdioServerTransport as TransportV2 } from "@modelcontextprotocol/server/stdio";
import { createAsker, createAskingLog } from "../held/asking-server.ts";

const version = process.argv[2] === "v1" ? "v1" : "v2";
const transport = version === "v1" ? new TransportV1() : new TransportV2();
await createAsker(version, createAskingLog()).connect(transport as never);

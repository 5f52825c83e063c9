import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { app } from "./app.ts";

const handle = toNodeHandler({ fetch: app });
const server = createServer((request, response) => void handle(request, response));
server.listen(0, "127.0.0.1", () => console.log(`port ${(server.address() as AddressInfo).port}`));

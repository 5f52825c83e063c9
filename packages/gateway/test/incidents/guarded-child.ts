// A guarded server of the official SDK over stdio. Its tool fails deep inside, and its sink is the default: standard error.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { guard } from "@recourse/core/server";
import { failingShop } from "./failing-shop.ts";

serveStdio(() => failingShop(guard(new McpServer({ name: "shop", version: "1.0.0" }))));

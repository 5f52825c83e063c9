// Starts the server: over stdio, or over HTTP with --http.
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { registerSecrets } from "@recourse/faults";
import { type Authenticate, guardHandler, guardStdin, guardStdout, toNodeListener } from "@recourse/faults/server";
import { startDemoApi } from "./demo-api.ts";
import { createServer } from "./server.ts";
import { ShopApi } from "./shop-api.ts";

const { SHOP_API_URL, SHOP_API_KEY = "", MCP_TOKEN = "", PORT = "3000" } = process.env;
const { values } = parseArgs({ options: { http: { type: "boolean", default: false } } });
/** A shorter token can be guessed. */
const MIN_TOKEN_LENGTH = 16;

if (values.http && MCP_TOKEN.length < MIN_TOKEN_LENGTH) {
  console.error(
    `Set MCP_TOKEN, the bearer token that callers have to send, to ${MIN_TOKEN_LENGTH} characters or more. ` +
      "`openssl rand -hex 32` makes one.",
  );
  process.exit(1);
}

const access = SHOP_API_URL ? { url: SHOP_API_URL, key: SHOP_API_KEY } : await startDemoApi();
// No answer and no log line will contain one of these, in whatever form an error repeats it.
registerSecrets(access.key, MCP_TOKEN);
const api = new ShopApi(access);
if (values.http) overHttp(MCP_TOKEN);
else overStdio();

function overStdio(): void {
  guardStdout(); // What a library prints goes to standard error instead of breaking the wire.
  guardStdin(); // Lines that are no MCP message get an answer.
  serveStdio(() => createServer({ api }));
  console.error("shop: serving MCP over stdio");
}

function overHttp(token: string): void {
  const expected = digest(`Bearer ${token}`);
  const authenticate: Authenticate = ({ headers }) =>
    timingSafeEqual(digest(headers.get("authorization") ?? ""), expected)
      ? { ok: true, auth: { sub: "agent" } } // Who calls. Idempotency keys count within this name.
      : { ok: false };
  const handler = guardHandler(
    createMcpHandler(() => createServer({ api })),
    { name: "shop", auth: { authenticate } },
  );
  const server = createHttpServer(toNodeListener(handler));
  server.on("error", ({ message }) => {
    console.error(`shop: ${message}`);
    process.exitCode = 1;
  });
  server.listen(Number(PORT), "127.0.0.1", () =>
    console.error(`shop: serving MCP on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

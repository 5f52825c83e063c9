// A server with mistakes of its author, on SDK 1 (`--sdk-1`) or 2, bare, with `guard` alone (`--guard`), or with
// all that a report advises (`--guarded`). A probe calls six tools, so `--more` has others.
import { McpServer as McpServer1, ResourceTemplate as Template1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { guard, guardStdin, guardStdout } from "@recourse/faults/server";
import * as z from "zod/v4";

const has = (option: string) => process.argv.includes(option);
const isGuarded = has("--guarded");

type Registry = Pick<McpServer, "registerTool" | "registerResource" | "registerPrompt">;

/** Registers a tool that only reads. */
function addTool(server: Registry, name: string, run: () => unknown, outputSchema?: z.ZodObject): void {
  const inputSchema = z.object({ id: z.string(), count: z.number().int() });
  const config = { description: "Finds it.", inputSchema, annotations: { readOnlyHint: true } };
  server.registerTool(name, { ...config, ...(outputSchema && { outputSchema }) }, () => run() as never);
}

/** Texts that must stay inside, and a failure that says nothing. */
const THROWN: Readonly<Record<string, unknown>> = {
  get_stock: new Error("connect ECONNREFUSED 10.0.0.3:5432"),
  get_price: new Error("Query failed: SELECT id, card FROM customers WHERE id = 5"),
  get_label: new Error("ENOENT: no such file or directory, open '/srv/shop/labels/5.json'"),
  get_user: new Error("login failed for postgres://shop:k3yb0ard9@db.example.com/shop"),
  get_object: { reason: "an object" },
  get_stack: new Error(`x\n    at load (/srv/shop/load.js:5:7)\n${"at deep (/srv/shop/deep.js:1:1)\n".repeat(500)}`),
};

/** Results that are wrong. */
const RETURNED: Readonly<Record<string, () => unknown>> = {
  get_number: () => ({ content: [{ type: "text", text: "x" }], structuredContent: { n: 5n } }),
  get_nothing: () => undefined,
  get_total: () => ({ content: [{ type: "text", text: "5" }], structuredContent: { total: "5" } }),
  get_data: () => ({ content: [{ type: "text", text: "No." }], structuredContent: { why: 5 }, isError: true }),
};

function fill(server: Registry, isFirst: boolean): void {
  if (!has("--more")) {
    for (const [name, thrown] of Object.entries(THROWN))
      addTool(server, name, () => {
        throw thrown;
      });
    // The author writes the failure into the document, where no guard looks.
    addTemplate(server, isFirst, () => ({ contents: [{ uri: "shop://x", text: '{"error":"Item not found"}' }] }));
    return;
  }
  const output = z.object({ total: z.number() });
  for (const [name, run] of Object.entries(RETURNED))
    addTool(server, name, run, name === "get_total" || name === "get_data" ? output : undefined);
  addTemplate(server, isFirst, () => {
    throw Object.assign(new Error("ER_ACCESS_DENIED at 10.0.0.3:3306"), { code: 1045 });
  });
}

function addTemplate(
  server: Registry,
  isFirst: boolean,
  read: () => { contents: { uri: string; text: string }[] },
): void {
  const pattern = "shop://{id}";
  const template = isFirst
    ? new Template1(pattern, { list: undefined })
    : new ResourceTemplate(pattern, { list: undefined });
  server.registerResource("item", template as ResourceTemplate, {}, read);
}

function makeServer<T extends McpServer | McpServer1>(server: T): T {
  fill(server as unknown as Registry, server instanceof McpServer1);
  return isGuarded || has("--guard") ? guard(server) : server;
}

if (isGuarded) {
  guardStdout();
  guardStdin();
}
const info = { name: "faulty", version: "1.0.0" };
if (has("--sdk-1")) await makeServer(new McpServer1(info)).connect(new StdioServerTransport());
else serveStdio(() => makeServer(new McpServer(info)));

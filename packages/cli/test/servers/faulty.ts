// A server with mistakes of its author, on SDK 1 (`--sdk-1`) or 2, bare, with `guard` alone (`--guard`), or with
// all that a report advises (`--guarded`). A probe calls six tools, so `--more` has others. It runs as a program, or in the
// process of a test.
import process from "node:process";
import { pathToFileURL } from "node:url";
import { McpServer as McpServer1, ResourceTemplate as Template1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { StdioServerTransport as StdioServerTransport2, serveStdio } from "@modelcontextprotocol/server/stdio";
import { guard, guardStdin, guardStdout, type Sink } from "@recourse/core/server";
import * as z from "zod/v4";
import type { ProgramHost } from "../support/inner-program.ts";

type Registry = Pick<McpServer, "registerTool" | "registerResource" | "registerPrompt">;

/** Registers a tool that only reads. */
function addTool(server: Registry, name: string, run: () => unknown, outputSchema?: z.ZodObject): void {
  const inputSchema = z.object({ id: z.string(), count: z.number().int() });
  const config = { description: "Finds it.", inputSchema, annotations: { readOnlyHint: true } };
  server.registerTool(name, { ...config, ...(outputSchema && { outputSchema }) }, () => run() as never);
}

/** An error of a driver: it carries more than its message. */
const driverError = (text: string) => Object.assign(new Error(text), { severity: "ERROR" });

/** Texts that must stay inside, and a failure that says nothing. */
const THROWN: Readonly<Record<string, unknown>> = {
  get_stock: driverError("connect ECONNREFUSED 10.0.0.3:5432"),
  get_price: driverError("Query failed: SELECT id, card FROM customers WHERE id = 5"),
  get_label: driverError("ENOENT: no such file or directory, open '/srv/shop/labels/5.json'"),
  get_user: driverError("login failed for postgres://shop:k3yb0ard9@db.example.com/shop"),
  get_object: { reason: "an object" },
  get_stack: driverError(`x\n    at load (/srv/shop/load.js:5:7)\n${"at deep (/srv/shop/deep.js:1:1)\n".repeat(500)}`),
};

/** Results that are wrong. */
const RETURNED: Readonly<Record<string, () => unknown>> = {
  get_number: () => ({ content: [{ type: "text", text: "x" }], structuredContent: { n: 5n } }),
  get_nothing: () => undefined,
  get_total: () => ({ content: [{ type: "text", text: "5" }], structuredContent: { total: "5" } }),
  get_data: () => ({ content: [{ type: "text", text: "No." }], structuredContent: { why: 5 }, isError: true }),
};

function fill(server: Registry, { isFirst, hasMore }: { readonly isFirst: boolean; readonly hasMore: boolean }): void {
  if (!hasMore) {
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

const INFO = { name: "faulty", version: "1.0.0" };

/** Serves it on the pipes of a program. */
export async function serveFaulty({ stdin, stdout, stderr }: ProgramHost, options: readonly string[]): Promise<void> {
  const isGuarded = options.includes("--guarded");
  const sink: Sink = ({ fault }) => void stderr.write(`${fault.reason}\n`);
  function makeServer<T extends McpServer | McpServer1>(server: T): T {
    const isFirst = server instanceof McpServer1;
    fill(server as unknown as Registry, { isFirst, hasMore: options.includes("--more") });
    return isGuarded || options.includes("--guard") ? guard(server, { sink }) : server;
  }
  if (isGuarded) {
    guardStdout({ stream: stdout });
    guardStdin({ stream: stdin, output: stdout, sink });
  }
  if (options.includes("--sdk-1"))
    await makeServer(new McpServer1(INFO)).connect(new StdioServerTransport(stdin, stdout));
  else serveStdio(() => makeServer(new McpServer(INFO)), { transport: new StdioServerTransport2(stdin, stdout) });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await serveFaulty(process, process.argv.slice(2));

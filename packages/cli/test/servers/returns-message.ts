// A guarded server whose tools return `error.message`, as many do: over HTTP with `--http`, else over stdio; on SDK 1 with
// `--v1`. `--foreign-text` sets the option of `guard`.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type ForeignText, guard, guardHandler, guardStdin, guardStdout, toNodeListener } from "@recourse/core/server";
import * as z from "zod/v4";

const { values } = parseArgs({
  options: { http: { type: "boolean" }, v1: { type: "boolean" }, "foreign-text": { type: "string" } },
});

/** What the parts behind the tools throw, by tool. */
const THROWN: Readonly<Record<string, (id: string) => string>> = {
  get_order: () => 'password authentication failed for user "app": password=hunter2Sommer99 host=10.0.0.5',
  get_invoice: () => "connect ECONNREFUSED postgres://app:Sommer2024!@db.internal:5432/orders",
  get_file: (id) => `ENOENT: no such file or directory, open '/srv/app/data/${id}.json'`,
  get_customer: (id) => `There is no customer ${id}.`,
};

function configure<S extends object>(server: S): S {
  const { registerTool } = server as unknown as { registerTool: (...args: unknown[]) => unknown };
  for (const [name, thrown] of Object.entries(THROWN)) {
    registerTool.call(
      server,
      name,
      {
        description: `Finds what ${name} names.`,
        inputSchema: z.strictObject({ id: z.string().max(60).describe("Its id") }),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      ({ id }: { readonly id: string }) => {
        try {
          throw new Error(thrown(id));
        } catch (error) {
          return { isError: true, content: [{ type: "text", text: (error as Error).message }] };
        }
      },
    );
  }
  const foreignText = values["foreign-text"] as ForeignText | undefined;
  return guard(server, { name: "orders", sink: () => {}, ...(foreignText !== undefined && { foreignText }) });
}

const info = { name: "orders", version: "1.0.0" };
if (values.http === true) {
  const handler = guardHandler(
    createMcpHandler(() => configure(new McpServer(info))),
    { sink: () => {} },
  );
  const http = createServer(toNodeListener(handler));
  http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`));
} else {
  guardStdout();
  guardStdin({ sink: () => {} });
  if (values.v1 === true) await configure(new McpServer1(info)).connect(new StdioServerTransport());
  else serveStdio(() => configure(new McpServer(info)));
}

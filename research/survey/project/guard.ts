// Loaded before a public server starts (`node --import`): guards every McpServer that connects in this process, so that the
// published code of the server runs unchanged. With SURVEY_GUARD=guard it guards nothing else. It prints to stderr that it guards.
import { existsSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { guard, guardStdin, guardStdout } from "@recourse/faults/server";

interface Connects {
  connect(transport: unknown): Promise<void>;
}

/** The files of each SDK that define `McpServer`, as modules of both kinds. */
const SDKS = {
  "@modelcontextprotocol/sdk": ["dist/esm/server/mcp.js", "dist/cjs/server/mcp.js"],
  "@modelcontextprotocol/server": ["dist/index.mjs", "dist/index.cjs"],
} as const satisfies Record<string, readonly string[]>;

if (process.env["SURVEY_GUARD"] !== "guard") {
  guardStdout();
  guardStdin();
}
const entry = pathToFileURL(process.argv[1] as string);
for (const [name, files] of Object.entries(SDKS)) {
  const folder = folderOf(name);
  const found = files
    .map((file) => join(folder ?? "", file))
    .filter((file) => folder !== undefined && existsSync(file));
  for (const file of found) guardAll(await load(file));
}

function folderOf(name: string): string | undefined {
  try {
    const manifest = findPackageJSON(name, entry);
    return manifest === undefined ? undefined : dirname(manifest);
  } catch {
    // Not a dependency of this server.
    return undefined;
  }
}

async function load(file: string): Promise<{ readonly McpServer: { readonly prototype: Connects } }> {
  const isModule = file.endsWith(".mjs") || file.includes("esm");
  return isModule ? import(pathToFileURL(file).href) : createRequire(import.meta.url)(file);
}

function guardAll({ McpServer }: { readonly McpServer: { readonly prototype: Connects } }): void {
  const { connect } = McpServer.prototype;
  McpServer.prototype.connect = function (this: Connects, transport) {
    console.error("survey: guarded");
    return connect.call(guard(this as never), transport);
  };
}

// Loaded before a public server starts (`node --import`): guards every McpServer and low-level Server that connects in this process, so that the
// published code of the server runs unchanged. With SURVEY_GUARD=guard it guards nothing else. It prints to stderr that it guards.
import { existsSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { guard, guardStdin, guardStdout, isGuarded } from "@recourse/faults/server";

interface Connects {
  connect(transport: unknown): Promise<void>;
}

/** The files of each SDK that define its servers, as modules of both kinds. */
const SDKS = {
  "@modelcontextprotocol/sdk": [
    "dist/esm/server/mcp.js",
    "dist/cjs/server/mcp.js",
    "dist/esm/server/index.js",
    "dist/cjs/server/index.js",
  ],
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

type ServerClass = { readonly prototype: Connects };

async function load(file: string): Promise<{ readonly McpServer?: ServerClass; readonly Server?: ServerClass }> {
  const isModule = file.endsWith(".mjs") || file.includes("esm");
  return isModule ? import(pathToFileURL(file).href) : createRequire(import.meta.url)(file);
}

/** An `McpServer` connects the low-level server inside it, which is guarded then. */
function guardAll(servers: Awaited<ReturnType<typeof load>>): void {
  for (const made of [servers.McpServer, servers.Server]) {
    if (made === undefined) continue;
    const { connect } = made.prototype;
    made.prototype.connect = function (this: Connects, transport) {
      if (isGuarded(this)) return connect.call(this, transport);
      console.error("survey: guarded");
      // The guard of a low-level server replaces the method itself.
      return guard(this).connect(transport);
    };
  }
}

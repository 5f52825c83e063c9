import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The credential of the bridges for the service: it must not cross either. */
export const KEY = "upstream-key-4f9a1c7be2d84460";

/** How a bridge is started as a server on stdio. */
export interface Command {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Where a bridge finds things. */
interface Place {
  /** A folder of its own, which is thrown away afterwards. */
  readonly folder: string;
  /** The OpenAPI document. */
  readonly document: string;
  /** The address of the service. */
  readonly url: string;
}

/** A bridge from OpenAPI to MCP. */
export interface Peer {
  readonly name: string;
  /** What it is installed from; ours is here already. */
  readonly from?: string;
  /** Gets it ready and says how it is started. */
  prepare(place: Place): Promise<Command>;
  /** The body of a write among the arguments, in the form that its tools take. */
  readonly body: Readonly<Record<string, unknown>>;
}

const FLAT = { name: "lamp" };
const installed = (folder: string, path: string) => join(folder, "node_modules", path);

/** Ours, and three public ones. */
export const PEERS: readonly Peer[] = [
  {
    name: "@recourse/bridge",
    body: FLAT,
    prepare: async ({ document, url }) => ({
      args: ["--conditions=@recourse/source", fileURLToPath(new URL("ours.ts", import.meta.url)), document, url],
      env: { UPSTREAM_KEY: KEY },
    }),
  },
  {
    name: "openapi-mcp-generator",
    from: "openapi-mcp-generator@4.0.1",
    body: { requestBody: FLAT },
    async prepare({ folder, document, url }) {
      const out = join(folder, "generated");
      const bin = installed(folder, "openapi-mcp-generator/bin/openapi-mcp-generator.js");
      await run(process.execPath, [bin, "--input", document, "--output", out, "--base-url", url, "--force"]);
      // It writes a project, which has dependencies of its own.
      await npmInstall(out, []);
      return { args: [join(out, "src/index.ts")], env: { API_BASE_URL: url, BEARER_TOKEN_KEY: KEY } };
    },
  },
  {
    name: "@ivotoby/openapi-mcp-server",
    from: "@ivotoby/openapi-mcp-server@1.16.1",
    body: FLAT,
    prepare: async ({ folder, document, url }) => ({
      args: [
        installed(folder, "@ivotoby/openapi-mcp-server/bin/mcp-server.js"),
        ...["--transport", "stdio", "--api-base-url", url, "--openapi-spec", document],
        ...["--headers", `Authorization:Bearer ${KEY}`],
      ],
    }),
  },
  {
    name: "mcp-openapi",
    from: "mcp-openapi@0.3.0",
    body: FLAT,
    prepare: async ({ folder, document, url }) => ({
      args: [
        installed(folder, "mcp-openapi/dist/bin/mcp-openapi.js"),
        ...["--spec", document, "--base-url", url, "--no-doc-warnings"],
        ...["--auth-type", "bearer", "--auth-token", KEY],
      ],
    }),
  },
];

/** Installs packages into a folder outside of the repository; nothing of theirs is run meanwhile. */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--omit=dev", "--loglevel=error"];
  try {
    await run("npm", ["install", "--prefix", folder, ...quiet, ...packages], { cwd: folder, timeout: 300_000 });
  } catch (cause) {
    throw new Error("npm could not install it; is the registry reachable?", { cause });
  }
}

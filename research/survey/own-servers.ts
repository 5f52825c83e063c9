// The shop of research/survey/project on each kit, bare and guarded, and the three reference servers.
import type { Entry, Group } from "./entry.ts";

const PRINTED = /MCP at (http[^\s,]+)/;
const KITS = { "SDK 1": "v1", "SDK 2": "v2" } as const;

/** How much of the shop is guarded, with the group of its row. */
const MODES = { bare: "bare", guard: "step", guarded: "guarded" } as const satisfies Record<string, Group>;

type Shop = `${keyof typeof KITS}, ${"stdio" | "http"}, ${keyof typeof MODES}`;

const SHOPS = Object.fromEntries(
  Object.entries(KITS).flatMap(([kit, file]) =>
    (["stdio", "http"] as const).flatMap((transport) =>
      Object.entries(MODES).map(([mode, group]): [string, Entry] => [
        `${kit}, ${transport}, ${mode}`,
        {
          group,
          file: `research/survey/project/shop/${file}.ts`,
          args: [transport, mode],
          ...(transport === "http" && { listens: PRINTED }),
        },
      ]),
    ),
  ),
) as Readonly<Record<Shop, Entry>>;

/** FastMCP is installed with the public servers, so the file is copied there. */
const fastmcp = (transport: "stdio" | "http", group: "bare" | "guarded"): Entry => ({
  group,
  file: ".cache/survey/fastmcp.js",
  args: [transport, group, "$PORT"],
  ...(transport === "http" && { listens: /at (http\S+)/ }),
});

const reference = (name: "gtin" | "crm" | "orders"): Pick<Entry, "group" | "file" | "database"> => ({
  group: "reference",
  file: `reference/${name}/src/main.ts`,
  database: databaseOf(name),
});

/** Servers of this repository. */
export const OWN_SERVERS = {
  ...SHOPS,
  "FastMCP, stdio, bare": fastmcp("stdio", "bare"),
  "FastMCP, http, bare": fastmcp("http", "bare"),
  "FastMCP, stdio, guardTool": fastmcp("stdio", "guarded"),
  gtin: {
    ...reference("gtin"),
    env: { DATABASE_URL: databaseOf("gtin"), PORT: "$PORT" },
    listens: PRINTED,
  },
  crm: {
    ...reference("crm"),
    env: { DATABASE_URL: databaseOf("crm"), REST_PORT: "0", MCP_PORT: "0" },
    headers: ["authorization: Bearer pl_key_demo_north_4f1c9a7be2d85360"],
    listens: PRINTED,
    baseline: "reference/crm/probe-baseline.json",
  },
  orders: {
    ...reference("orders"),
    env: { DATABASE_URL: databaseOf("orders"), PORT: "0", SERVICE_PORT: "0" },
    listens: PRINTED,
  },
} as const satisfies Readonly<Record<string, Entry>>;

/** A database of its own for each run of the survey. */
export function databaseOf(name: string): string {
  const server = new URL(process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres");
  server.pathname = `/survey_${name}`;
  return server.href;
}

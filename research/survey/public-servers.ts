// The public servers from npm, exactly as research/survey/project/package.json installs them. None has real credentials.
import type { Entry } from "./entry.ts";
import { databaseOf } from "./own-servers.ts";

const DATABASE = databaseOf("public");
const NOTE = { "notes/hello.md": "# Hello\n\nA note.\n" };

/** Servers that the rules were written with. */
export const PUBLIC_SERVERS = {
  filesystem: {
    group: "public",
    package: "@modelcontextprotocol/server-filesystem",
    guardable: true,
    file: "dist/index.js",
    args: ["$DIR/notes"],
    files: NOTE,
  },
  memory: {
    group: "public",
    package: "@modelcontextprotocol/server-memory",
    guardable: true,
    file: "dist/index.js",
    env: { MEMORY_FILE_PATH: "$DIR/memory.jsonl" },
  },
  everything: {
    group: "public",
    package: "@modelcontextprotocol/server-everything",
    guardable: true,
    file: "dist/index.js",
  },
  "everything, http": {
    group: "public",
    package: "@modelcontextprotocol/server-everything",
    file: "dist/index.js",
    args: ["streamableHttp"],
    env: { PORT: "$PORT" },
    listens: /listening on port/i,
  },
  "sequential-thinking": {
    group: "public",
    package: "@modelcontextprotocol/server-sequential-thinking",
    guardable: true,
    file: "dist/index.js",
  },
  postgres: {
    group: "public",
    package: "@modelcontextprotocol/server-postgres",
    file: "dist/index.js",
    args: [DATABASE],
    database: DATABASE,
  },
  playwright: { group: "public", package: "@playwright/mcp", file: "cli.js", args: ["--headless", "--isolated"] },
  dbhub: {
    group: "public",
    package: "@bytebase/dbhub",
    guardable: true,
    file: "dist/index.js",
    args: ["--transport", "stdio", "--dsn", DATABASE],
    database: DATABASE,
  },
  "dbhub, http": {
    group: "public",
    package: "@bytebase/dbhub",
    file: "dist/index.js",
    args: ["--transport", "http", "--port", "$PORT", "--dsn", DATABASE],
    database: DATABASE,
    listens: /listening|endpoint|running/i,
  },
  git: { group: "public", package: "@cyanheads/git-mcp-server", file: "dist/index.js" },
  notion: {
    group: "public",
    package: "@notionhq/notion-mcp-server",
    file: "bin/cli.mjs",
    env: { NOTION_TOKEN: "ntn_survey" },
  },
  mongodb: {
    group: "public",
    package: "mongodb-mcp-server",
    file: "dist/esm/index.js",
    env: { MDB_MCP_TELEMETRY: "disabled", MDB_MCP_READ_ONLY: "true" },
  },
  context7: { group: "public", package: "@upstash/context7-mcp", guardable: true, file: "dist/index.js" },
  commands: { group: "public", package: "mcp-server-commands", file: "build/index.js" },
  "henkey-postgres": {
    group: "public",
    package: "@henkey/postgres-mcp-server",
    file: "build/index.js",
    args: ["--connection-string", DATABASE],
    database: DATABASE,
  },
  kubernetes: { group: "public", package: "mcp-server-kubernetes", file: "dist/index.js" },
  "chrome-devtools": {
    group: "public",
    package: "chrome-devtools-mcp",
    file: "build/src/bin/chrome-devtools-mcp.js",
    args: ["--headless", "--isolated", "--no-usage-statistics"],
  },
  sentry: {
    group: "public",
    package: "@sentry/mcp-server",
    guardable: true,
    file: "dist/index.js",
    args: ["--access-token=survey"],
  },
  firecrawl: {
    group: "public",
    package: "firecrawl-mcp",
    file: "dist/index.js",
    env: { FIRECRAWL_API_KEY: "fc-survey" },
  },
} as const satisfies Readonly<Record<string, Entry>>;

/** Servers that nobody looked at while the rules were written. */
export const HELD_OUT_SERVERS = {
  "antv-chart": { group: "held-out", package: "@antv/mcp-server-chart", file: "build/index.js" },
  "brave-search": {
    group: "held-out",
    package: "@brave/brave-search-mcp-server",
    guardable: true,
    file: "dist/index.js",
    env: { BRAVE_API_KEY: "survey" },
  },
  "desktop-commander": {
    group: "held-out",
    package: "@wonderwhy-er/desktop-commander",
    file: "dist/index.js",
    args: ["--no-onboarding"],
  },
  elasticsearch: {
    group: "held-out",
    package: "@elastic/mcp-server-elasticsearch",
    file: "dist/index.js",
    env: { ES_URL: "http://127.0.0.1:9", ES_API_KEY: "survey" },
  },
  eslint: { group: "held-out", package: "@eslint/mcp", guardable: true, file: "src/mcp-cli.js" },
  exa: { group: "held-out", package: "exa-mcp-server", file: "dist/stdio.cjs", env: { EXA_API_KEY: "survey" } },
  figma: {
    group: "held-out",
    package: "figma-developer-mcp",
    guardable: true,
    file: "dist/bin.js",
    args: ["--stdio", "--figma-api-key=survey", "--no-telemetry"],
  },
  "figma, http": {
    group: "held-out",
    package: "figma-developer-mcp",
    file: "dist/bin.js",
    args: ["--port=$PORT", "--figma-api-key=survey", "--no-telemetry"],
    listens: /listening|available|endpoint/i,
  },
  github: {
    group: "held-out",
    package: "@modelcontextprotocol/server-github",
    file: "dist/index.js",
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: "survey" },
  },
  fetch: { group: "held-out", package: "mcp-fetch-server", file: "dist/index.js" },
  graphql: {
    group: "held-out",
    package: "mcp-graphql",
    file: "dist/index.js",
    env: { ENDPOINT: "http://127.0.0.1:9/graphql" },
  },
  mapbox: {
    group: "held-out",
    package: "@mapbox/mcp-server",
    guardable: true,
    file: "dist/esm/index.js",
    env: { MAPBOX_ACCESS_TOKEN: "pk.eyJ1Ijoic3VydmV5In0.survey" },
  },
  obsidian: {
    group: "held-out",
    package: "obsidian-mcp",
    guardable: true,
    file: "dist/main.js",
    args: ["$DIR/vault"],
    files: {
      "vault/.obsidian/app.json": "{}",
      "vault/hello.md": "# Hello\n",
    },
  },
  ssh: {
    group: "held-out",
    package: "ssh-mcp",
    guardable: true,
    file: "build/index.js",
    args: ["--host=127.0.0.1", "--port=9", "--user=survey"],
    env: { SSH_MCP_PASSWORD: "survey" },
  },
  supabase: {
    group: "held-out",
    package: "@supabase/mcp-server-supabase",
    file: "dist/cli.js",
    args: ["--read-only", "--access-token=sbp_0000000000000000000000000000000000000000"],
  },
  tavily: { group: "held-out", package: "tavily-mcp", file: "build/index.js", env: { TAVILY_API_KEY: "tvly-survey" } },
  time: { group: "held-out", package: "time-mcp", guardable: true, file: "dist/index.js" },
} as const satisfies Readonly<Record<string, Entry>>;

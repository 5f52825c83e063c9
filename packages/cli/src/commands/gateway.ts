import type { CliCommand } from "../program/command.ts";

/** `recourse init`: a first configuration of the gateway. */
export const initCommand: CliCommand = {
  name: "init",
  about: "Write a first gateway.yaml, with its keys",
  usage: "[file or folder]",
  details: [
    "Writes a configuration that you can run at once: no Redis, no PostgreSQL, one upstream, one key for callers, and the admin API on its own address with one key for you. Without --url, --command and --openapi the upstream is a demo server, which is written beside it.",
    "The keys are shown only once; the file has only their SHA-256. Existing files are not overwritten, and nothing is written through a link.",
    "With --compose it writes a folder for Docker Compose instead: the gateway with nginx, Valkey and PostgreSQL, random passwords in files, and Prometheus, Grafana and a collector to switch on. --force keeps the passwords, because a database that exists knows only the old ones.",
  ],
  options: {
    compose: { type: "boolean", about: "Write a folder for Docker Compose, with Valkey and PostgreSQL" },
    url: { type: "string", value: "url", about: "The upstream is an MCP server over HTTP" },
    command: { type: "string", value: "command", about: "The upstream is a program that speaks MCP on stdio" },
    openapi: { type: "string", value: "file or url", about: "The upstream is a REST API with this OpenAPI document" },
    name: { type: "string", value: "name", about: "The name of the upstream; its tools are called name__tool" },
    listen: { type: "string", value: "host:port", about: "Where to listen; 127.0.0.1:8080 if not given" },
    "admin-listen": {
      type: "string",
      value: "host:port",
      about: "Where the admin API listens; 127.0.0.1 and the next port if not given",
    },
    force: { type: "boolean", about: "Overwrite existing files" },
  },
  examples: [
    { line: "recourse init", about: "With a demo server, to see it run." },
    { line: "recourse init --url https://shop.internal/mcp --name shop", about: "In front of a server over HTTP." },
    { line: 'recourse init --command "node server.js"', about: "In front of a program." },
    { line: "recourse init --openapi ./crm.yaml --name crm", about: "In front of a REST API." },
    { line: "recourse init --compose", about: "With its stores, for Docker Compose." },
  ],
  run: async (given, io) => (await import("./run-gateway.ts")).runInit(given, io),
};

/** `recourse keys`: the API keys of a gateway. */
export const keysCommand: CliCommand = {
  name: "keys",
  about: "Add, list and revoke the keys of a gateway",
  usage: "<add <id> | list | revoke <id | prefix>>",
  details: [
    "Works on the store that gateway.yaml names. With PostgreSQL, new keys are valid at once on every process, and revoked keys stop working within `keyCache` of the file. With `store: memory` keys are lines of the file: `add` prints the line, and removing a line revokes its key.",
    "A key is shown once, when it is created. Only its SHA-256 is stored.",
    "With --operator it creates a key for the admin API, which `recourse status`, `approvals` and `incident` use: put the key into GATEWAY_ADMIN_KEY, and the printed line under `admin.keys` in the file. A viewer can read, an approver can also decide approvals, an admin can do everything.",
  ],
  options: {
    config: { type: "string", short: "c", value: "file", about: "The configuration file; gateway.yaml if not given" },
    tenant: { type: "string", value: "name", about: "The tenant that the key belongs to; default if not given" },
    tools: {
      type: "string",
      value: "patterns",
      multiple: true,
      about: "The tools that the caller sees, separated by commas; * if not given",
    },
    scopes: { type: "string", value: "names", multiple: true, about: "Scopes of the caller, separated by commas" },
    entitlements: {
      type: "string",
      value: "names",
      multiple: true,
      about: "Entitlements of the caller, separated by commas",
    },
    dialect: {
      type: "string",
      choices: ["mcp", "closient", "onx", "erlmcp", "qaqnuz", "platica"],
      about: "The error format for this caller",
    },
    expires: {
      type: "string",
      value: "duration",
      about: "How long the key is valid, such as 24h; with PostgreSQL only",
    },
    operator: { type: "boolean", about: "Create a key for the admin API, and the line for admin.keys in the file" },
    role: {
      type: "string",
      choices: ["viewer", "approver", "admin"],
      about: "What the operator may do; viewer if not given",
    },
  },
  words: ["add", "list", "revoke"],
  examples: [
    { line: 'recourse keys add ci --tenant acme --tools "shop__*"', about: "A new key. It is shown once." },
    { line: "recourse keys add ann --operator --role approver", about: "A key for an operator." },
    { line: "recourse keys list", about: "All keys, without the keys themselves." },
    { line: "recourse keys revoke ci", about: "Revoke a key." },
  ],
  run: async (given, io) => (await import("./run-gateway.ts")).runKeys(given, io),
};

/** `recourse serve`: the gateway. */
export const serveCommand: CliCommand = {
  name: "serve",
  about: "Run the gateway: one address for many MCP servers",
  usage: "[file]",
  details: [
    "Reads gateway.yaml, or the file that you name. It needs the gateway package: `npm install @recourse/gateway`.",
    "The first line on stdout is the address and the store. The log goes to stderr.",
    "Ctrl-C and SIGTERM stop it: calls under way have `drain` of the file to finish, then it exits with 0. A second Ctrl-C ends it at once. It reads the file again on SIGHUP, and with --watch whenever the file changes; a file with problems changes nothing.",
  ],
  options: {
    check: {
      type: "boolean",
      about: "Read the file, connect to the stores, list the tools of every upstream, report, and exit",
    },
    database: {
      type: "boolean",
      about: "With --check: compare the tables of the database with what this version needs; nothing is changed",
    },
    watch: { type: "boolean", about: "Read the file again whenever it changes" },
  },
  examples: [
    { line: "recourse serve", about: "Run the gateway of gateway.yaml." },
    { line: "recourse serve --check prod.yaml", about: "Check a file without serving it, for example in CI." },
    { line: "recourse serve --check --database prod.yaml", about: "Before an upgrade, with the new version." },
    { line: "recourse serve --watch", about: "While you change the file." },
  ],
  untilStopped: true,
  run: async (given, io) => (await import("./run-gateway.ts")).runServe(given, io),
};

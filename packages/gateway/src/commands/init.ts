import { constants } from "node:fs";
import { lstat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createApiKey } from "../auth/api-keys.ts";
import { consoleUrl } from "../config/console-url.ts";
import { loadConfig } from "../config/load.ts";
import { configFailure, DEFAULT_FILE, problemLines, shownPath } from "./config-file.ts";
import { DEMO_FILE, DEMO_SERVER } from "./demo-server.ts";
import { type CommandIo, type CommandOutcome, commandWords, failed } from "./io.ts";
import { operatorKeyLine } from "./keys.ts";

/** Options of `recourse init`. Without an upstream, a demo server is written beside the file. */
export interface InitOptions {
  /** @default gateway.yaml */
  readonly file?: string | undefined;
  /** The address of an MCP server to put behind the gateway. @default none */
  readonly url?: string | undefined;
  /** A program to start as the upstream, over stdio. @default none */
  readonly command?: string | undefined;
  /** An OpenAPI document to serve as the upstream. @default none */
  readonly openapi?: string | undefined;
  /** The name of the upstream. @default demo, or server */
  readonly name?: string | undefined;
  /** @default 127.0.0.1:8080 */
  readonly listen?: string | undefined;
  /** Where operators reach the admin API. @default 127.0.0.1, and the port after that of `listen` */
  readonly adminListen?: string | undefined;
  /** Overwrites files that exist. @default false */
  readonly force?: boolean | undefined;
  /** Write one line of JSON instead of text. @default false */
  readonly json?: boolean | undefined;
}

/**
 * Writes a first configuration with a key for callers and a key for its operator, and says what to do next. The keys are shown
 * once and stored nowhere.
 */
export async function init(options: InitOptions, io: CommandIo): Promise<CommandOutcome> {
  const { file = DEFAULT_FILE, listen = "127.0.0.1:8080", force = false } = options;
  const { adminListen = `127.0.0.1:${portAfter(listen)}` } = options;
  const ways = [options.url, options.command, options.openapi].filter((one) => one !== undefined);
  if (ways.length > 1)
    return failed("usage", { code: "usage", message: "--url, --command and --openapi exclude each other." });
  const isDemo = ways.length === 0;
  const path = resolve(io.cwd, file);
  const name = options.name ?? (isDemo ? "demo" : "server");
  const caller = createApiKey();
  const operator = createApiKey();
  const text = firstFile({
    ...{ listen, adminListen, name, upstream: readUpstream(options) },
    ...{ callerSha256: caller.sha256, operatorSha256: operator.sha256 },
  });
  const files = new Map([[path, text], ...(isDemo ? ([[join(dirname(path), DEMO_FILE), DEMO_SERVER]] as const) : [])]);

  const loaded = loadConfig(text, { environment: io.env, file: path });
  if (!loaded.ok) {
    io.stderr.write(problemLines(file, loaded.problems));
    return configFailure(file, loaded.problems);
  }
  for (const one of files.keys()) {
    const obstacle = await obstacleAt(one);
    if (obstacle === "link" || (obstacle === "file" && !force)) return inTheWay(obstacle, shownPath(one, io.cwd));
  }
  for (const [one, content] of files) {
    const obstacle = await writeNewFiles(one, content, { force });
    if (obstacle !== undefined) return inTheWay(obstacle, shownPath(one, io.cwd));
  }

  const written = [...files.keys()].map((one) => shownPath(one, io.cwd));
  const { listen: address, admin, path: endpoint } = loaded.config;
  const url = `${httpAddress(address)}${endpoint}`;
  // The port is known only once it serves.
  const adminUrl = admin === undefined || admin.listen.port === 0 ? undefined : httpAddress(admin.listen);
  const page = admin && consoleUrl(admin);
  const consolePage = page && `${page}/`;
  const keys = { key: caller.key, adminKey: operator.key };
  if (options.json === true)
    io.stdout.write(
      `${JSON.stringify({ files: written, url, adminUrl, consoleUrl: consolePage, ...keys }, null, 2)}\n`,
    );
  else
    io.stdout.write(
      gatewaySteps({ written, ...keys, url, adminUrl, consolePage, isDemo, name, file: shownPath(path, io.cwd) }),
    );
  return { exit: "ok" };
}

/** The port after that of an address; a free one if the address takes a free one. */
function portAfter(listen: string): number {
  const port = Number(/(\d{1,5})$/.exec(listen)?.[1] ?? 8_080);
  return port === 0 ? 0 : port < 65_535 ? port + 1 : port - 1;
}

function httpAddress({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function readUpstream({ url, command, openapi }: InitOptions): FirstUpstream {
  if (url !== undefined) return { url };
  if (openapi !== undefined) return { openapi };
  return { command: command === undefined ? ["node", DEMO_FILE] : commandWords(command) };
}

/** What stands already where a file is to be written. */
type Obstacle = "file" | "link";

async function obstacleAt(path: string): Promise<Obstacle | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? "link" : "file";
  } catch {
    return undefined;
  }
}

/** Without `force`, only if no file exists, and never through a link: its author would decide what is overwritten. */
async function writeNewFiles(
  path: string,
  content: string,
  { force }: { readonly force: boolean },
): Promise<Obstacle | undefined> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  try {
    await writeFile(path, content, { flag: force ? O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW : "wx" });
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // It came between the look and the writing.
    if (code === "EEXIST" || code === "ELOOP") return (await obstacleAt(path)) ?? "file";
    throw error;
  }
}

function inTheWay(obstacle: Obstacle, file: string): CommandOutcome {
  if (obstacle === "file")
    return failed("usage", {
      code: "exists",
      message: `The file ${file} exists already.`,
      fix: "Add --force to overwrite it, or name another file: recourse init <file>",
    });
  return failed("usage", {
    code: "link",
    message: `The file ${file} is a symbolic link. Nothing is written through it.`,
    fix: "Remove the link, or name another file: recourse init <file>",
  });
}

/** The upstream of a first configuration. */
type FirstUpstream = { readonly url: string } | { readonly openapi: string } | { readonly command: readonly string[] };

/** What a first configuration is made of. */
interface FirstFile {
  readonly listen: string;
  readonly adminListen: string;
  readonly callerSha256: string;
  readonly operatorSha256: string;
  readonly name: string;
  readonly upstream: FirstUpstream;
}

/** Where commands look for the admin API by default. */
const DEFAULT_ADMIN = "http://127.0.0.1:8081";

const PAGE = "https://github.com/recourse-mcp/recourse/blob/main/docs/gateway/configuration.md";

/** The text of a first configuration: few lines, each of them explained. */
function firstFile({ listen, adminListen, callerSha256, operatorSha256, name, upstream }: FirstFile): string {
  return `$schema: ./node_modules/@recourse/gateway/gateway.schema.json
# Every option: ${PAGE}

listen: ${addressText(listen)}

# In the memory of one process. To run several, use Redis and PostgreSQL:
# store: { redis: "\${REDIS_URL}", postgres: "\${DATABASE_URL}" }
store: memory

# SHA-256 of each key. For another one: recourse keys add <id>
keys:
  - { id: first, sha256: "${callerSha256}" }

# Tools are called ${name}__<tool>.
upstreams:
  ${name}: { ${upstreamText(upstream)} }

limits:
  key: { rate: 20/s, burst: 40 }

# For recourse status, incident and approvals. For another key: recourse keys add <id> --operator
admin:
  listen: ${addressText(adminListen)}
  console: true # The web page for operators, at /console/ of this address.
  keys:
    - ${operatorKeyLine({ id: "operator", role: "admin", sha256: operatorSha256 })}
`;
}

/** Brackets of IPv6 mean a list in YAML. */
function addressText(address: string): string {
  return /^(?:[\w.-]+:)?\d+$/.test(address) ? address : JSON.stringify(address);
}

/** JSON is YAML, so that names with any characters stay what they are. */
function upstreamText(upstream: FirstUpstream): string {
  return Object.entries(upstream)
    .map(([option, value]: readonly [string, string | readonly string[]]) =>
      typeof value === "string"
        ? `${option}: ${JSON.stringify(value)}`
        : `${option}: [${value.map((word) => JSON.stringify(word)).join(", ")}]`,
    )
    .join(", ");
}

/** What the next steps name. */
interface FirstGateway {
  readonly written: readonly string[];
  readonly key: string;
  readonly url: string;
  readonly adminKey: string;
  /** Undefined if the port is not known yet. */
  readonly adminUrl: string | undefined;
  /** The address of the console; undefined if the port is not known yet. */
  readonly consolePage: string | undefined;
  readonly isDemo: boolean;
  /** The upstream. */
  readonly name: string;
  readonly file: string;
}

/** What to do after `recourse init`: every line of it can be copied. */
function gatewaySteps(first: FirstGateway): string {
  const { written, key, url, adminKey, adminUrl, consolePage, isDemo, name, file } = first;
  const serve = file === DEFAULT_FILE ? "npx @recourse/cli serve" : `npx @recourse/cli serve ${file}`;
  const message = isDemo
    ? { method: "tools/call", params: { name: `${name}__find_order`, arguments: { order: 7 } } }
    : { method: "tools/list" };
  const snippet = {
    mcpServers: { gateway: { type: "http", url, headers: { Authorization: `Bearer \${GATEWAY_KEY}` } } },
  };
  return `Wrote ${written.join(" and ")}.

Two keys, for callers and for you as the operator. They are shown only now:

  export GATEWAY_KEY=${key}
  export GATEWAY_ADMIN_KEY=${adminKey}${adminUrlLine(adminUrl)}

Start the gateway:

  ${serve}

${isDemo ? "Call a tool" : "List the tools"}, in another terminal with the same keys:

  ${curlLine(url, message)}

See how it is doing, here or in a browser, where you sign in with GATEWAY_ADMIN_KEY:

  npx @recourse/cli status
  ${consolePage ?? "<the address of the console, which serve prints>"}

For an MCP client:

  ${JSON.stringify(snippet)}
`;
}

/** The variable is needed only if the address is not the one that commands use without it. */
function adminUrlLine(adminUrl: string | undefined): string {
  if (adminUrl === undefined)
    return "\n  export GATEWAY_ADMIN_URL=<the address of the API for operators, which serve prints>";
  return adminUrl === DEFAULT_ADMIN ? "" : `\n  export GATEWAY_ADMIN_URL=${adminUrl}`;
}

function curlLine(url: string, message: Readonly<Record<string, unknown>>): string {
  const headers = ["Authorization: Bearer $GATEWAY_KEY", "Content-Type: application/json"];
  const accept = "Accept: application/json, text/event-stream";
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
  return `curl -s ${url} ${[...headers, accept].map((one) => `-H "${one}"`).join(" ")} -d '${body}'`;
}

import { constants } from "node:fs";
import { lstat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createApiKey } from "../auth/api-keys.ts";
import { loadConfig } from "../config/load.ts";
import { configFailure, DEFAULT_FILE, problemLines, shownPath } from "./config-file.ts";
import { DEMO_FILE, DEMO_SERVER } from "./demo-server.ts";
import { type CommandIo, type CommandOutcome, commandWords, failed } from "./io.ts";

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
  /** Overwrites files that exist. @default false */
  readonly force?: boolean | undefined;
  /** Write one line of JSON instead of text. @default false */
  readonly json?: boolean | undefined;
}

/** Writes a first configuration with a new API key, and says what to do next. The key is shown once and stored nowhere. */
export async function init(options: InitOptions, io: CommandIo): Promise<CommandOutcome> {
  const { file = DEFAULT_FILE, listen = "127.0.0.1:8080", force = false } = options;
  const ways = [options.url, options.command, options.openapi].filter((one) => one !== undefined);
  if (ways.length > 1)
    return failed("usage", { code: "usage", message: "--url, --command and --openapi exclude each other." });
  const isDemo = ways.length === 0;
  const path = resolve(io.cwd, file);
  const name = options.name ?? (isDemo ? "demo" : "server");
  const { key, sha256 } = createApiKey();
  const text = firstFile({ listen, sha256, name, upstream: readUpstream(options) });
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
  const { host, port } = loaded.config.listen;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}${loaded.config.path}`;
  if (options.json === true) io.stdout.write(`${JSON.stringify({ files: written, key, url }, null, 2)}\n`);
  else io.stdout.write(gatewaySteps({ written, key, url, isDemo, name, file: shownPath(path, io.cwd) }));
  return { exit: "ok" };
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

/** Without `force` only where nothing stands, and never through a link: who made it decides what is overwritten. */
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
  readonly sha256: string;
  readonly name: string;
  readonly upstream: FirstUpstream;
}

const PAGE = "https://github.com/recourse-mcp/recourse/blob/main/docs/gateway/configuration.md";

/** The text of a first configuration: few lines, each of them explained. */
function firstFile({ listen, sha256, name, upstream }: FirstFile): string {
  return `$schema: ./node_modules/@recourse/gateway/gateway.schema.json
# Every option: ${PAGE}

listen: ${listen}

# In the memory of one process. To run several, use Redis and PostgreSQL:
# store: { redis: "\${REDIS_URL}", postgres: "\${DATABASE_URL}" }
store: memory

# SHA-256 of each key. For another one: recourse keys add <id>
keys:
  - { id: first, sha256: "${sha256}" }

# Tools are called ${name}__<tool>.
upstreams:
  ${name}: { ${upstreamText(upstream)} }

limits:
  key: { rate: 20/s, burst: 40 }
`;
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
  readonly isDemo: boolean;
  /** The upstream. */
  readonly name: string;
  readonly file: string;
}

/** What to do after `recourse init`: every line of it can be copied. */
function gatewaySteps({ written, key, url, isDemo, name, file }: FirstGateway): string {
  const serve = file === DEFAULT_FILE ? "npx @recourse/cli serve" : `npx @recourse/cli serve ${file}`;
  const message = isDemo
    ? { method: "tools/call", params: { name: `${name}__find_order`, arguments: { order: 7 } } }
    : { method: "tools/list" };
  const snippet = {
    mcpServers: { gateway: { type: "http", url, headers: { Authorization: `Bearer \${GATEWAY_KEY}` } } },
  };
  return `Wrote ${written.join(" and ")}.

Your API key. It is shown only now:

  export GATEWAY_KEY=${key}

Start the gateway:

  ${serve}

${isDemo ? "Call a tool" : "List the tools"}, in another terminal with the same GATEWAY_KEY:

  ${curlLine(url, message)}

For an MCP client:

  ${JSON.stringify(snippet)}
`;
}

function curlLine(url: string, message: Readonly<Record<string, unknown>>): string {
  const headers = ["Authorization: Bearer $GATEWAY_KEY", "Content-Type: application/json"];
  const accept = "Accept: application/json, text/event-stream";
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
  return `curl -s ${url} ${[...headers, accept].map((one) => `-H "${one}"`).join(" ")} -d '${body}'`;
}

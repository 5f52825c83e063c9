import { constants } from "node:fs";
import { chmod, lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { createApiKey } from "../auth/api-keys.ts";
import { isUrl } from "../config/checks.ts";
import { consoleUrl, isOwnMachine } from "../config/console-url.ts";
import { loadConfig } from "../config/load.ts";
import { COMPOSE_CONFIG, COMPOSE_SECRETS, composeFiles, createComposeSecrets, IMAGE_NODE } from "./compose-folder.ts";
import { configFailure, DEFAULT_FILE, problemLines, shownPath } from "./config-file.ts";
import { DEMO_FILE, DEMO_SERVER } from "./demo-server.ts";
import { type CommandFailure, type CommandIo, type CommandOutcome, commandWords, failed } from "./io.ts";
import { operatorKeyLine } from "./keys.ts";

/** Options of `recourse init`. Without an upstream, a demo server is written beside the file. */
export interface InitOptions {
  /** The file to write; with `compose`, the folder to write into. @default gateway.yaml, or the working directory */
  readonly file?: string | undefined;
  /** Writes a folder for Docker Compose, with Valkey and PostgreSQL, instead of one file. @default false */
  readonly compose?: boolean | undefined;
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
  /** Overwrites files that exist, except passwords. @default false */
  readonly force?: boolean | undefined;
  /** Write one line of JSON instead of text. @default false */
  readonly json?: boolean | undefined;
}

/**
 * Writes a first configuration with a key for callers and a key for its operator, and says what to do next. The keys are shown
 * once and stored nowhere.
 */
export async function init(options: InitOptions, io: CommandIo): Promise<CommandOutcome> {
  const { compose: isCompose = false, listen = "127.0.0.1:8080", force = false } = options;
  const { file = isCompose ? "." : DEFAULT_FILE, adminListen = `127.0.0.1:${portAfter(listen)}` } = options;
  const ways = [options.url, options.command, options.openapi].filter((one) => one !== undefined);
  if (ways.length > 1)
    return failed("usage", { code: "usage", message: "--url, --command and --openapi exclude each other." });
  const isDemo = ways.length === 0;
  const path = resolve(io.cwd, file);
  const name = options.name ?? (isDemo ? "demo" : "server");
  const caller = createApiKey();
  const operator = createApiKey();
  const digests = { callerSha256: caller.sha256, operatorSha256: operator.sha256 };
  const text = firstFile({ listen, adminListen, name, upstream: readUpstream(options), ...digests });
  // In compose too: what comes from the options has to be right in either file.
  const loaded = loadConfig(text, { environment: io.env, file: isCompose ? join(path, DEFAULT_FILE) : path });
  if (!loaded.ok) {
    const shown = isCompose ? `${COMPOSE_CONFIG}/${DEFAULT_FILE}` : file;
    io.stderr.write(problemLines(shown, loaded.problems));
    return configFailure(shown, loaded.problems);
  }
  const { listen: address, admin, path: endpoint } = loaded.config;
  const demo: NewFiles = isDemo ? new Map([[DEMO_FILE, { text: DEMO_SERVER }]]) : new Map();
  const planned = isCompose
    ? await planFolder(options, io, { name, ...digests, listen: address, adminListen: admin?.listen ?? address, demo })
    : { folder: dirname(path), files: new Map([[basename(path), { text }], ...demo]), remarks: [] };
  if ("failure" in planned) return planned;
  const obstacle = await writeNewFiles(planned, { force });
  if (obstacle !== undefined) return inTheWay(obstacle, { shown: shownPath(obstacle.path, io.cwd), isCompose });

  const written = [...planned.files.keys()].map((one) => shownPath(join(planned.folder, one), io.cwd));
  const url = `${httpAddress(address)}${endpoint}`;
  // The port is known only once it serves.
  const adminUrl = admin === undefined || admin.listen.port === 0 ? undefined : httpAddress(admin.listen);
  const page = isCompose ? `${adminUrl}/console` : admin && consoleUrl(admin);
  const consolePage = page && `${page}/`;
  const keys = { key: caller.key, adminKey: operator.key };
  for (const remark of planned.remarks) io.stderr.write(`${remark}\n`);
  if (options.json === true)
    io.stdout.write(
      `${JSON.stringify({ files: written, url, adminUrl, consoleUrl: consolePage, ...keys }, null, 2)}\n`,
    );
  else {
    const start = isCompose ? composeStart(shownPath(path, io.cwd)) : serveStart(shownPath(path, io.cwd));
    const wrote = isCompose ? composeSummary(planned, shownPath(path, io.cwd)) : `Wrote ${written.join(" and ")}.`;
    io.stdout.write(gatewaySteps({ wrote, start, ...keys, url, adminUrl, consolePage, isDemo, isCompose, name }));
  }
  return { exit: "ok" };
}

/** What is written, by the paths in a folder. */
type NewFiles = ReadonlyMap<string, NewFile>;

interface NewFile {
  readonly text: string;
  /** Stays as it is if it exists, even with `force`. @default false */
  readonly keep?: boolean;
}

interface NewFolder {
  readonly folder: string;
  readonly files: NewFiles;
  /** What the operator should know besides the next steps. */
  readonly remarks: readonly string[];
}

/** What the options say about a folder for compose, once they are known to be valid. */
interface FolderOptions {
  readonly name: string;
  readonly callerSha256: string;
  readonly operatorSha256: string;
  readonly listen: Address;
  readonly adminListen: Address;
  readonly demo: NewFiles;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** The folder of `recourse init --compose`. What works on this machine may not work in a container: that is refused or said. */
async function planFolder(
  options: InitOptions,
  { cwd }: Pick<CommandIo, "cwd">,
  { listen, adminListen, demo, ...folder }: FolderOptions,
): Promise<NewFolder | { readonly failure: CommandFailure }> {
  if ((await obstacleAt(resolve(cwd, options.file ?? ".")))?.kind === "file")
    return failed("usage", { code: "usage", message: `With --compose, name a folder: ${options.file} is a file.` });
  if (listen.port === 0 || adminListen.port === 0)
    return failed("usage", { code: "usage", message: "With --compose, --listen and --admin-listen need a port." });
  const remote = options.url ?? (isUrl(options.openapi) ? options.openapi : undefined);
  // With variables in it, it may not be an address yet.
  const host = remote !== undefined && URL.canParse(remote) ? new URL(remote).hostname : undefined;
  if (host !== undefined && isOwnMachine(host.replaceAll(/[[\]]/g, "")))
    return failed("usage", {
      code: "usage",
      message: `In a container, ${host} is the container itself.`,
      fix: "Write host.docker.internal instead. On Linux, the server must also listen on more than 127.0.0.1.",
    });
  const document = options.openapi !== undefined && remote === undefined ? resolve(cwd, options.openapi) : undefined;
  const copied = document === undefined ? undefined : await readFile(document, "utf8").catch(() => undefined);
  if (document !== undefined && copied === undefined)
    return failed("usage", { code: "usage", message: `The file ${shownPath(document, cwd)} cannot be read.` });
  const upstream =
    document === undefined ? readUpstream(options) : ({ openapi: `./${basename(document)}` } satisfies FirstUpstream);
  const texts = await composeFiles({
    ...folder,
    upstream: upstreamText(inImage(upstream)),
    listen: hostAndPort(listen),
    adminListen: hostAndPort(adminListen),
    consoleUrl: httpAddress(adminListen),
  });
  const files = new Map<string, NewFile>([...texts].map(([path, text]) => [path, { text }]));
  for (const [path, one] of demo) files.set(`${COMPOSE_CONFIG}/${path}`, one);
  if (document !== undefined && copied !== undefined) {
    const path = `${COMPOSE_CONFIG}/${basename(document)}`;
    if (files.has(path))
      return failed("usage", {
        code: "usage",
        message: `The OpenAPI document cannot have the name ${basename(path)}.`,
      });
    files.set(path, { text: copied });
  }
  for (const [path, text] of createComposeSecrets()) files.set(path, { text, keep: true });
  return { folder: resolve(cwd, options.file ?? "."), files, remarks: composeRemarks(options, { listen, upstream }) };
}

/** What cannot be seen on this machine. */
function composeRemarks(
  { command }: InitOptions,
  { listen, upstream }: { readonly listen: Address; readonly upstream: FirstUpstream },
): readonly string[] {
  const remarks = {
    [`The program runs in the image of the gateway, which has Node and no other programs. Put its files into ${COMPOSE_CONFIG}/.`]:
      command !== undefined,
    "The gateway needs the variables of the upstream: add them to its environment in compose.yaml.":
      upstreamText(upstream).includes("${"),
    [`Add the names by which callers reach this machine to hosts in ${COMPOSE_CONFIG}/${DEFAULT_FILE}.`]: !isOwnMachine(
      listen.host,
    ),
  };
  return Object.entries(remarks).flatMap(([remark, applies]) => (applies ? [remark] : []));
}

/** Node is at a place of its own in the image. */
function inImage(upstream: FirstUpstream): FirstUpstream {
  if (!("command" in upstream) || upstream.command[0] !== "node") return upstream;
  return { command: [IMAGE_NODE, ...upstream.command.slice(1)] };
}

/** The port after that of an address; a free one if the address takes a free one. */
function portAfter(listen: string): number {
  const port = Number(/(\d{1,5})$/.exec(listen)?.[1] ?? 8_080);
  return port === 0 ? 0 : port < 65_535 ? port + 1 : port - 1;
}

/** How this machine reaches an address that it listens on. */
function httpAddress({ host, port }: Address): string {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${hostAndPort({ host: reached, port })}`;
}

function hostAndPort({ host, port }: Address): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function readUpstream({ url, command, openapi }: InitOptions): FirstUpstream {
  if (url !== undefined) return { url };
  if (openapi !== undefined) return { openapi };
  return { command: command === undefined ? ["node", DEMO_FILE] : commandWords(command) };
}

/** What stands already where a file is to be written. */
interface Obstacle {
  readonly kind: "file" | "folder" | "link";
  readonly path: string;
}

async function obstacleAt(path: string): Promise<Obstacle | undefined> {
  try {
    const found = await lstat(path);
    return { kind: found.isSymbolicLink() ? "link" : found.isDirectory() ? "folder" : "file", path };
  } catch {
    return undefined;
  }
}

/** Services in containers run as other users, and have to read these files whatever the umask is. */
const READABLE_MODES = { file: 0o644, folder: 0o755 };
const PRIVATE_FOLDER = 0o700;
/** It has no passwords, but they are expected there. */
const PRIVATE_FILES: Readonly<Record<string, number>> = { ".env": 0o600 };

/**
 * Writes all files or, if something is in the way, none. Without `force`, only if no file exists, and never through a link: its
 * author would decide what is overwritten.
 */
async function writeNewFiles(
  { folder, files }: NewFolder,
  { force }: { readonly force: boolean },
): Promise<Obstacle | undefined> {
  const parents = [...new Set([...files.keys()].flatMap(parentFolders))];
  for (const one of parents) {
    const obstacle = await obstacleAt(join(folder, one));
    if (obstacle !== undefined && obstacle.kind !== "folder") return obstacle;
  }
  const kept = new Set<string>();
  for (const [one, { keep = false }] of files) {
    const obstacle = await obstacleAt(join(folder, one));
    if (obstacle !== undefined && (obstacle.kind !== "file" || !force)) return obstacle;
    if (obstacle !== undefined && keep) kept.add(one);
  }
  const isTree = parents.length > 0;
  if (isTree) await mkdir(folder, { recursive: true });
  for (const one of parents) {
    await mkdir(join(folder, one), { recursive: true });
    await chmod(join(folder, one), one === COMPOSE_SECRETS ? PRIVATE_FOLDER : READABLE_MODES.folder);
  }
  for (const [one, { text }] of files) {
    if (kept.has(one)) continue;
    const obstacle = await writeNewFile(join(folder, one), text, { force });
    if (obstacle !== undefined) return obstacle;
    if (isTree) await chmod(join(folder, one), PRIVATE_FILES[one] ?? READABLE_MODES.file);
  }
  return undefined;
}

/** The folders that a relative path goes through, the outermost first. */
function parentFolders(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

async function writeNewFile(
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
    if (code === "EEXIST" || code === "ELOOP") return (await obstacleAt(path)) ?? { kind: "file", path };
    throw error;
  }
}

function inTheWay(
  { kind }: Obstacle,
  { shown, isCompose }: { readonly shown: string; readonly isCompose: boolean },
): CommandOutcome {
  const other = isCompose
    ? "name another folder: recourse init --compose <folder>"
    : "name another file: recourse init <file>";
  if (kind === "folder")
    return failed("usage", { code: "exists", message: `${shown} is a folder.`, fix: `Remove it, or ${other}` });
  if (kind === "file")
    return failed("usage", {
      code: "exists",
      message: `The file ${shown} exists already.`,
      fix: `Add --force to overwrite it, or ${other}`,
    });
  return failed("usage", {
    code: "link",
    message: `The file ${shown} is a symbolic link. Nothing is written through it.`,
    fix: `Remove the link, or ${other}`,
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
  /** The sentence about the files. */
  readonly wrote: string;
  /** What starts the gateway: a sentence and a command. */
  readonly start: readonly [string, string];
  readonly key: string;
  readonly url: string;
  readonly adminKey: string;
  /** Undefined if the port is not known yet. */
  readonly adminUrl: string | undefined;
  /** The address of the console; undefined if the port is not known yet. */
  readonly consolePage: string | undefined;
  readonly isDemo: boolean;
  /** It runs in the background. */
  readonly isCompose: boolean;
  /** The upstream. */
  readonly name: string;
}

function serveStart(file: string): FirstGateway["start"] {
  const command = file === DEFAULT_FILE ? "npx @recourse/cli serve" : `npx @recourse/cli serve ${file}`;
  return ["Start the gateway:", command];
}

function composeStart(folder: string): FirstGateway["start"] {
  const shown = /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", String.raw`'\''`)}'`;
  const command = folder === "" ? "docker compose up -d" : `cd ${shown} && docker compose up -d`;
  return ["Start the gateway with nginx, Valkey and PostgreSQL:", command];
}

function composeSummary({ files }: NewFolder, folder: string): string {
  const where = folder === "" ? "this folder" : folder;
  return `Wrote ${files.size} files into ${where}: compose.yaml and .env, the configuration in ${COMPOSE_CONFIG}/, passwords in ${COMPOSE_SECRETS}/, what the services need in services/.`;
}

/** What to do after `recourse init`: every line of it can be copied. */
function gatewaySteps(first: FirstGateway): string {
  const { wrote, start, key, url, adminKey, adminUrl, consolePage, isDemo, isCompose, name } = first;
  const message = isDemo
    ? { method: "tools/call", params: { name: `${name}__find_order`, arguments: { order: 7 } } }
    : { method: "tools/list" };
  const snippet = {
    mcpServers: { gateway: { type: "http", url, headers: { Authorization: `Bearer \${GATEWAY_KEY}` } } },
  };
  return `${wrote}

Two keys, for callers and for you as the operator. They are shown only now:

  export GATEWAY_KEY=${key}
  export GATEWAY_ADMIN_KEY=${adminKey}${adminUrlLine(adminUrl)}

${start[0]}

  ${start[1]}

${isDemo ? "Call a tool" : "List the tools"}${isCompose ? "" : ", in another terminal with the same keys"}:

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

// Runs a dozen cases of the built server kit, for both servers of the SDK, and of the client kit on the oldest and the newest supported version of each line of the
// official SDK; with `--all` on every supported minor version. The newest versions are tested in
// full by the test suite.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { recourse } from "@recourse/core/client";
import { core } from "@recourse/core/reasons";
import { guard } from "@recourse/core/server";
import * as z from "zod";
import { linkFromHere } from "./linked.ts";
import { command, NPM } from "./packed.ts";

const isAll = process.argv.includes("--all");
const V1 = chosen(["1.24.0", "1.25.3", "1.26.0", "1.27.1", "1.28.0", "1.29.0", "1.30.1", "1.31.0", "1.32.2"]);
const V2 = chosen(["2.0.0", "2.1.0", "2.2.0", "2.3.1", "2.4.0"]);
/** A version whose server has none of the methods that the guard replaces: it has to be refused with a clear error. */
const REFUSED = "1.20.0";

const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};
checkPeers();
const folder = resolve(".cache/sdk-versions");
install();
const from = createRequire(join(folder, "package.json"));
const load = async (specifier: string) =>
  (await import(pathToFileURL(from.resolve(specifier)).href)) as Readonly<Record<string, never>>;

// biome-ignore lint/suspicious/noExplicitAny: each version of the SDK has types of its own.
type Any = any;
interface Sdk {
  readonly McpServer: new (info: object) => Any;
  readonly Server: new (info: object, options: object) => Any;
  /** What the handler of a method is set for: its schema in version 1, its name in version 2. */
  readonly named: (method: "tools/list" | "tools/call") => unknown;
  readonly Client: new (info: object) => Any;
  readonly InMemoryTransport: { createLinkedPair(): [Any, Any] };
}

async function sdkV1(version: string): Promise<Sdk> {
  const name = aliasOf("sdk", version);
  const { ListToolsRequestSchema, CallToolRequestSchema } = await load(`${name}/types.js`);
  return {
    Server: (await load(`${name}/server/index.js`))["Server"] as never,
    named: (method) => (method === "tools/list" ? ListToolsRequestSchema : CallToolRequestSchema),
    McpServer: (await load(`${name}/server/mcp.js`))["McpServer"] as never,
    Client: (await load(`${name}/client/index.js`))["Client"] as never,
    InMemoryTransport: (await load(`${name}/inMemory.js`))["InMemoryTransport"] as never,
  };
}

async function sdkV2(version: string): Promise<Sdk> {
  const server = await load(aliasOf("server", version));
  const client = await load(aliasOf("client", version));
  return {
    McpServer: server["McpServer"] as never,
    Server: server["Server"] as never,
    named: (method) => method,
    Client: client["Client"] as never,
    InMemoryTransport: (server["InMemoryTransport"] ?? client["InMemoryTransport"]) as never,
  };
}

function serverOf({ McpServer }: Sdk): Any {
  const server = new McpServer({ name: "smoke", version: "1.0.0" });
  const answer = (text: string) => ({ content: [{ type: "text", text }] });
  const number = z.object({ n: z.number().int().min(1) });
  // Some are registered before the guard, some after it.
  server.registerTool("good", { inputSchema: number.shape }, async ({ n }: { n: number }) => answer(`n is ${n}`));
  server.registerTool("throws", {}, async () => {
    throw new Error("connect postgres://app:hunter2@10.0.0.5");
  });
  guard(server, { sink: () => {}, deadlineMs: 200 });
  server.registerTool("reason", {}, async () => {
    throw core.conflict({ what: "order 7" });
  });
  server.registerTool("bigint", {}, async () => ({ ...answer("x"), _meta: { n: 1n } }));
  server.registerTool("hangs", {}, () => new Promise(() => {}));
  server.registerTool("schema", { outputSchema: number.shape }, async () => ({
    ...answer("x"),
    structuredContent: { n: 0 },
  }));
  server.registerResource("doc", "doc://one", {}, async () => {
    throw new Error("connect postgres://app:hunter2@10.0.0.5");
  });
  server.registerPrompt("ask", { argsSchema: { name: z.string() } }, async () => ({ messages: [] }));
  return server;
}

function lowLevelServerOf({ Server, named }: Sdk): Any {
  const server = new Server({ name: "smoke", version: "1.0.0" }, { capabilities: { tools: {} } });
  const inputSchema = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"] };
  const reads = { inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
  // One handler is set before the guard, one after it.
  server.setRequestHandler(named("tools/list"), async () => ({
    tools: [
      { name: "good", inputSchema },
      { name: "throws", ...reads },
      { name: "hangs", ...reads },
    ],
  }));
  guard(server, { sink: () => {}, deadlineMs: 200, checkArguments: true });
  server.setRequestHandler(named("tools/call"), async ({ params }: Any) => {
    if (params.name === "good") return { content: [{ type: "text", text: `n is ${params.arguments.n}` }] };
    if (params.name === "throws") throw new Error("connect postgres://app:hunter2@10.0.0.5");
    if (params.name === "hangs") return new Promise(() => {});
    throw new Error(`Unknown tool: ${params.name}`);
  });
  return server;
}

/** What to call, and the reason that the client kit must read; undefined if the call succeeds. */
type Case = readonly [name: string, call: (mcp: Any) => Promise<Any>, reason: string | undefined];
const CASES: readonly Case[] = [
  ["a success", (mcp) => mcp.call("good", { n: 2 }), undefined],
  ["wrong arguments", (mcp) => mcp.call("good", { n: 0 }), "tool/invalid_arguments"],
  ["missing arguments", (mcp) => mcp.call("good", {}), "tool/invalid_arguments"],
  ["a sentence that is thrown", (mcp) => mcp.call("throws"), "tool/failed"],
  ["a reason", (mcp) => mcp.call("reason"), "core/conflict"],
  ["a result that JSON cannot encode", (mcp) => mcp.call("bigint"), "tool/result_unsendable"],
  ["a handler that never ends", (mcp) => mcp.call("hangs", {}, { deadlineMs: 2_000 }), "tool/timeout"],
  ["a result that breaks its schema", (mcp) => mcp.call("schema"), "tool/output_invalid"],
  ["an unknown tool", (mcp) => mcp.call("goood", { n: 1 }), "tool/not_found"],
  ["a resource that throws", (mcp) => mcp.read("doc://one"), "core/unrecognised"],
  ["a missing resource", (mcp) => mcp.read("doc://two"), "resource/not_found"],
  ["a prompt without its argument", (mcp) => mcp.prompt("ask", {}), "prompt/argument_missing"],
];

const LOW_LEVEL_CASES: readonly Case[] = [
  ["a success", (mcp) => mcp.call("good", { n: 2 }), undefined],
  ["wrong arguments", (mcp) => mcp.call("good", { n: 0 }), "tool/invalid_arguments"],
  ["a sentence that is thrown", (mcp) => mcp.call("throws"), "tool/failed"],
  ["a handler that never ends", (mcp) => mcp.call("hangs", {}, { deadlineMs: 2_000 }), "tool/timeout"],
  ["an unknown tool", (mcp) => mcp.call("goood", { n: 1 }), "tool/not_found"],
];

let failed = 0;
for (const version of V1) await run(`1.x ${version}`, await sdkV1(version));
for (const version of V2) await run(`2.x ${version}`, await sdkV2(version));
await refuses(REFUSED);
process.exitCode = failed === 0 ? 0 : 1;

async function run(name: string, sdk: Sdk): Promise<void> {
  await runCases(name, { sdk, server: serverOf(sdk), cases: CASES });
  await runCases(`${name}, low-level`, { sdk, server: lowLevelServerOf(sdk), cases: LOW_LEVEL_CASES });
}

interface Smoke {
  readonly sdk: Sdk;
  readonly server: Any;
  readonly cases: readonly Case[];
}

async function runCases(name: string, { sdk, server, cases }: Smoke): Promise<void> {
  const [near, far] = sdk.InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new sdk.Client({ name: "smoke", version: "1.0.0" });
  await client.connect(near);
  const mcp = recourse(client, { retry: { policy: { attempts: 1 } } });
  const wrong: string[] = [];
  for (const [what, call, reason] of cases) {
    const outcome = await call(mcp);
    const read = outcome.ok ? undefined : (outcome.fault.reason as string);
    const leaks = JSON.stringify(outcome).includes("hunter2");
    if (read !== reason || leaks) wrong.push(`${what}: ${leaks ? "LEAK" : `${read}, expected ${reason}`}`);
  }
  await client.close();
  failed += wrong.length;
  console.log(
    `SDK ${name}: ${cases.length - wrong.length} of ${cases.length}${wrong.length > 0 ? `\n  ${wrong.join("\n  ")}` : ""}`,
  );
}

async function refuses(version: string): Promise<void> {
  const { McpServer } = await sdkV1(version);
  try {
    guard(new McpServer({ name: "old", version: "1.0.0" }));
    failed += 1;
    console.log(`SDK 1.x ${version}: guarded, but it must be refused`);
  } catch (error) {
    console.log(`SDK 1.x ${version}: refused, "${(error as Error).message}"`);
  }
}

function aliasOf(name: string, version: string): string {
  return `${name}-${version}`;
}

/** The package names the versions that run here, and no others, as those that it works with. */
function checkPeers(): void {
  const { peerDependencies } = JSON.parse(readFileSync("packages/faults/package.json", "utf8")) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  for (const [part, [first = "", last = ""]] of Object.entries({ sdk: ends(V1), server: ends(V2), client: ends(V2) })) {
    const [major, minor] = last.split(".");
    const range = `>=${first} <${major}.${Number(minor) + 1}.0`;
    const named = peerDependencies[`@modelcontextprotocol/${part}`];
    if (named !== range) throw new Error(`packages/faults names ${named} for ${part}, and ${range} is tested`);
  }
}

function ends(versions: readonly string[]): readonly (string | undefined)[] {
  return [versions.at(0), versions.at(-1)];
}

/** The versions of a line that run, oldest first. */
function chosen(versions: readonly string[]): readonly string[] {
  return isAll ? versions : [versions.at(0), versions.at(-1)].filter((one) => one !== undefined);
}

/** All versions side by side, each under a name of its own. Those that this repository has are linked. */
function install(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const wanted = [
    ...[...V1, REFUSED].map((version) => ({ part: "sdk", version })),
    ...V2.flatMap((version) => ["server", "client"].map((part) => ({ part, version }))),
  ];
  const isHere = ({ part, version }: (typeof wanted)[number]) =>
    devDependencies[`@modelcontextprotocol/${part}`] === version;
  const fetched = wanted.filter((one) => !isHere(one));
  const dependencies = Object.fromEntries(
    fetched.map(({ part, version }) => [aliasOf(part, version), `npm:@modelcontextprotocol/${part}@${version}`]),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  command("npm", ["install", ...NPM, "--no-package-lock", "--legacy-peer-deps"], folder);
  for (const { part, version } of wanted.filter(isHere)) {
    linkFromHere({ project: folder, name: `@modelcontextprotocol/${part}`, version, as: aliasOf(part, version) });
  }
}

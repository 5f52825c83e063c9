// 24 broken set-ups as people have them, each with the cause and the words that doctor has to say. 12 are configuration files.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConnectionCauseId } from "@recourse/explain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConfigReport } from "../../src/hosts/diagnose-config.ts";
import { diagnose, diagnoseUntil, runDoctor, SETTLED } from "./run-doctor.ts";
import { always, closedPort, type Listening, listen, overHttp, overTcp, sdkV1 } from "./servers.ts";

const STAND_IN = fileURLToPath(new URL("stand-in.ts", import.meta.url));
const NODE = process.execPath;
const PATIENT = ["--timeout", "60"];

let folder = "";
let mcp: Listening;
let deadPort = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setups-"));
  const speak = sdkV1();
  // Every other path is unknown, as on most servers.
  mcp = await listen(
    overHttp((incoming, response) =>
      incoming.url === "/mcp" ? speak(incoming, response) : always(404)(incoming, response),
    ),
  );
  deadPort = await closedPort();
});
afterAll(async () => {
  await mcp[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const textOf = (cause: object | null | undefined): string => JSON.stringify(cause ?? null);

describe("programs and addresses", () => {
  test.for([
    ["1: agrees on a version of the future", "version-2099", "D56", /2025-11-25.*2099-01-01/],
    ["2: refuses, and supports an old version", "version-refused", "D56", /2025-11-25.*2024-11-05/],
    [
      "3: Python hides the error in an exception group",
      "task-group",
      "D43",
      /httpx\.ConnectError: All connection attempts failed/,
    ],
  ] as const)("%s", async ([, name, id, says]) => {
    const { cause } = await diagnose([...PATIENT, NODE, STAND_IN, name], { waits: SETTLED });
    expect(cause?.id).toBe(id);
    expect(textOf(cause)).toMatch(says);
  });

  test("4: a place in a file is not a port", async () => {
    const { cause } = await diagnoseUntil("that was all", [NODE, STAND_IN, "stack-line"]);
    expect(cause?.id).toBe("D13");
    expect(textOf(cause)).not.toContain("localhost");
  });

  test("5: a daemon is left behind, and named", async ({ skip }) => {
    skip(process.platform !== "linux", "only Linux shows the environment of processes");
    const { cause, notes } = await diagnose([...PATIENT, NODE, STAND_IN, "daemon"], { waits: SETTLED });
    const note = notes.find(({ id }) => id === "D55");
    const pids = [...(note?.code ?? "").matchAll(/\d+/g)].map(Number);
    for (const pid of pids) process.kill(pid);
    expect(cause).toBeNull();
    expect(note?.saw).toMatch(/node.*still run/);
    expect(pids.length).toBeGreaterThan(0);
  });

  test("6: a proxy answers 407", async () => {
    await using proxy = await listen(overHttp(always(407, { "proxy-authenticate": 'Basic realm="corp"' })));
    const { cause } = await diagnose([`http://127.0.0.1:${proxy.port}/mcp`]);
    expect(cause?.id).toBe("D57");
    expect(textOf(cause)).toMatch(/NO_PROXY/);
  });

  test.for([
    ["7: only the proxy leads to the server", "200 Connection established", /leads to it.*NODE_USE_ENV_PROXY/],
    [
      "8: the proxy asks for credentials",
      "407 Proxy Authentication Required",
      /asks for credentials \(407\).*user:password@host/,
    ],
  ] as const)("%s", async ([, status, says]) => {
    await using proxy = await listen(
      overTcp((socket) => socket.once("data", () => socket.end(`HTTP/1.1 ${status}\r\n\r\n`))),
    );
    const env = { ...process.env, HTTP_PROXY: `http://someone:s3cr3t-pass@127.0.0.1:${proxy.port}`, NO_PROXY: "" };
    const { cause } = await diagnose(["http://recourse.invalid/mcp"], { env });
    expect(cause?.id).toBe("D57");
    expect(textOf(cause)).toMatch(says);
    expect(textOf(cause)).not.toContain("s3cr3t-pass");
  });

  test("9: the Host header is refused with 421", async () => {
    await using server = await listen(overHttp(always(421, { "content-type": "text/plain" }, "Invalid Host header")));
    const { cause } = await diagnose([`http://127.0.0.1:${server.port}/mcp`]);
    expect(cause?.id).toBe("D33");
    expect(textOf(cause)).toMatch(/allowed hosts/);
  });

  const service = { authorization_endpoint: "http://127.0.0.1/a", token_endpoint: "http://127.0.0.1/t" };
  test.for([
    ["10: the sign-in metadata is missing", undefined, "D59", /the answer is 404/],
    ["11: no client can register itself", service, "D59", /client id/],
    [
      "12: clients can sign in by themselves",
      { ...service, registration_endpoint: "http://127.0.0.1/r" },
      "D32",
      /register themselves/,
    ],
  ] as const)("%s", async ([, metadata, id, says]) => {
    const server = await listen(
      overHttp((incoming, response) => {
        const origin = `http://${incoming.headers.host}`;
        const documents: Record<string, unknown> = {
          "/.well-known/oauth-protected-resource/mcp": metadata && { authorization_servers: [origin] },
          "/.well-known/oauth-authorization-server": metadata,
        };
        const found = documents[incoming.url ?? ""];
        const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
        if (incoming.method === "POST") response.writeHead(401, { "www-authenticate": challenge }).end();
        else response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found ?? null));
      }),
    );
    await using _ = server;
    const { cause, exit } = await diagnose([`http://127.0.0.1:${server.port}/mcp`]);
    expect(cause?.id).toBe(id);
    expect(exit).toBe("credentials");
    expect(textOf(cause)).toMatch(says);
  });
});

interface FileSetup {
  readonly what: string;
  /** Below the folder of the test. */
  readonly path: string;
  readonly text: () => string;
  /** Other files, by their path. */
  readonly files?: (home: string) => Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** The cause of each server and what it says; null if it is ready. */
  readonly servers: Readonly<Record<string, readonly [ConnectionCauseId, RegExp] | null>>;
  /** What is wrong with the file itself. */
  readonly file?: readonly [ConnectionCauseId, RegExp];
  /** What `--fix` shows. */
  readonly fixed?: RegExp;
}

const entry = (name: string, more: object = {}) => ({ command: NODE, args: [STAND_IN, name], ...more });
const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const good = entry("healthy");
/** A variable as configuration files write it. */
const variable = (name: string): string => `\${${name}}`;
const address = (path = "/mcp"): string => `http://127.0.0.1:${mcp.port}${path}`;

const FILES: readonly FileSetup[] = [
  {
    what: "13: Claude Desktop, a whole command line",
    path: "claude_desktop_config.json",
    text: () => json({ mcpServers: { good, line: { command: "npx -y shop-mcp" } } }),
    servers: { good: null, line: ["D48", /"args\\": \[\\"-y\\", \\"shop-mcp\\"\]/] },
    fixed: /\+ .*"command": "npx", "args": \["-y", "shop-mcp"\]/,
  },
  {
    what: "14: Claude Desktop, a trailing comma and an address",
    path: "claude_desktop_config.json",
    text: () =>
      json({ mcpServers: { good, remote: { url: "https://shop.example/mcp" } } }).replace(/\n {2}\}\n\}$/, ",\n  }\n}"),
    servers: { good: null, remote: ["D49", /mcp-remote/] },
    file: ["D46", /Line \d+, column \d+: A comma stands before.*plain JSON only/],
    fixed: /"mcp-remote", "https:\/\/shop\.example\/mcp"/,
  },
  {
    what: "15: VS Code, the key of another host",
    path: ".vscode/mcp.json",
    text: () => json({ mcpServers: { good, missing: entry("missing-variable") } }),
    servers: { good: null, missing: ["D7", /SHOP_API_KEY.*\\"env\\" of the entry/] },
    file: ["D47", /Rename .*mcpServers.* to .*servers/],
    fixed: /\+ {3}"servers": \{/,
  },
  {
    what: "16: VS Code, comments are fine, and an input has no value",
    path: ".vscode/mcp.json",
    text: () =>
      `// ours\n${json({ servers: { good, ask: entry("healthy", { env: { KEY: variable("input:shop-key") } }) } })}`,
    servers: { good: null, ask: ["D52", /-e shop-key=…/] },
  },
  {
    what: "17: Cursor, a variable that is not set and an envFile that is not there",
    path: ".cursor/mcp.json",
    text: () =>
      json({
        mcpServers: {
          unset: entry("healthy", { env: { KEY: variable("env:SHOP_UNSET") } }),
          file: entry("healthy", { envFile: `${variable("workspaceFolder")}/.env.shop` }),
          good: entry("healthy", { env: { HERE: variable("workspaceFolder") } }),
        },
      }),
    servers: { unset: ["D52", /SHOP_UNSET is not set/], file: ["D52", /envFile/], good: null },
  },
  {
    what: "18: Claude Code, an address without type, and the wrong one",
    path: ".mcp.json",
    text: () =>
      json({
        mcpServers: {
          untyped: { url: address() },
          wrong: { type: "sse", url: address() },
          good: { type: "http", url: address() },
        },
      }),
    servers: { untyped: ["D49", /"type\\": \\"http/], wrong: ["D58", /speaks streamable HTTP/], good: null },
    fixed: /\+ .*"type": "http"/,
  },
  {
    what: "19: Gemini, url means SSE",
    path: ".gemini/settings.json",
    text: () => json({ mcpServers: { old: { url: address() }, good: { httpUrl: address() } } }),
    servers: { old: ["D58", /httpUrl/], good: null },
    fixed: /\+ .*"httpUrl": "http/,
  },
  {
    what: "20: Windsurf, a wrong path and a port on which nothing listens",
    path: "mcp_config.json",
    text: () =>
      json({
        mcpServers: { path: { serverUrl: address("/wrong") }, port: { serverUrl: `http://127.0.0.1:${deadPort}/mcp` } },
      }),
    servers: { path: ["D29", /answers at http:\/\/127\.0\.0\.1:\d+\/mcp/], port: ["D21", /Nothing listens/] },
    fixed: /\+ .*"serverUrl": "http:\/\/127\.0\.0\.1:\d+\/mcp"/,
  },
  {
    what: "21: Zed, a placeholder, and a variable that only the shell has",
    path: ".zed/settings.json",
    env: { SHOP_API_KEY: "from-my-shell-1" },
    text: () =>
      `{\n  // settings\n  "context_servers": ${json({
        placeholder: entry("missing-variable", { env: { SHOP_API_KEY: "YOUR_API_KEY" } }),
        shell: entry("missing-variable"),
      })},\n}`,
    servers: {
      placeholder: ["D50", /env\.SHOP_API_KEY.*YOUR_API_KEY/],
      shell: ["D7", /Your shell has SHOP_API_KEY, but hosts do not pass it on/],
    },
  },
  {
    what: "22: Cline, args as a text and a mistyped name",
    path: "cline_mcp_settings.json",
    text: () =>
      json({
        mcpServers: {
          text: { command: NODE, args: `${STAND_IN} healthy` },
          typo: { command: NODE, arg: [STAND_IN, "healthy"] },
        },
      }),
    servers: { text: ["D49", /list of texts/], typo: ["D49", /Rename .*arg.* to .*args/] },
    fixed: /\+ .*"args": \[/,
  },
  {
    what: "23: Claude Desktop, a missing comma, ~ and a relative path",
    path: "claude_desktop_config.json",
    text: () =>
      `{\n  "mcpServers": {\n    "home": ${JSON.stringify({ command: NODE, args: ["~/shop/server.js"] })}\n    "relative": ${JSON.stringify({ command: NODE, args: ["shop/server.js"] })}\n  }\n}`,
    files: (home) => ({ [join(home, "project/shop/server.js")]: "throw new Error('never started here')" }),
    servers: { home: ["D51", /begins with ~/], relative: ["D51", /relative path/] },
    file: ["D46", /Line 3, column \d+: A comma is missing/],
    fixed: /\+ .*setups-[^"]*\/shop\/server\.js"\]/,
  },
  {
    what: "24: a file of an unknown host: an alias, a name twice, a folder that does not exist",
    path: "servers.json",
    files: (home) => ({ [join(home, ".bashrc")]: "export A=1\nalias shop-start='node /srv/shop.js'\n" }),
    text: () =>
      `{"mcpServers": {"alias": {"command": "shop-start"}, "twice": ${JSON.stringify(good)}, "cwd": ${JSON.stringify({ ...good, cwd: "/recourse-nowhere" })}, "twice": ${JSON.stringify(good)}}}`,
    servers: {
      alias: ["D1", /alias of your shell \(\.bashrc, line 2\)/],
      cwd: ["D2", /recourse-nowhere/],
      twice: null,
    },
    file: ["D49", /used twice/],
  },
];

describe("configuration files of hosts", () => {
  test.for(FILES)("$what", async (setup) => {
    const home = await mkdtemp(join(folder, "home-"));
    const project = join(home, "project");
    const path = join(project, setup.path);
    for (const [file, text] of [[path, setup.text()], ...Object.entries(setup.files?.(home) ?? {})] as const) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, ...setup.env };
    const options = { env, cwd: project, waits: SETTLED };
    const run = await runDoctor([...PATIENT, "--json", path, ...(setup.args ?? [])], options);
    const { files } = JSON.parse(run.stdout) as { files: ConfigReport[] };
    const [report] = files;
    expect(run.exit).toBe("findings");
    const seen = new Map(report?.servers.map(({ name, cause }) => [name, cause]));
    for (const [name, wanted] of Object.entries(setup.servers)) {
      expect([name, seen.get(name)?.id ?? null]).toEqual([name, wanted?.[0] ?? null]);
      if (wanted !== null) expect(textOf(seen.get(name))).toMatch(wanted[1]);
    }
    expect(report?.findings.map(({ id }) => id) ?? []).toEqual(setup.file === undefined ? [] : [setup.file[0]]);
    if (setup.file !== undefined) expect(textOf(report?.findings[0])).toMatch(setup.file[1]);
    if (setup.fixed === undefined) return;
    const fix = await runDoctor([...PATIENT, "--fix", path], options);
    expect(fix.stdout).toMatch(setup.fixed);
  });
});

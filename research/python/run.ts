// Ten failures between Python and TypeScript, both ways, with the official SDKs; then the probe of the Python server, bare and guarded:
//   node --conditions=@recourse/source research/python/run.ts [--root <folder>]
// Python needs the package mcp 1.28. With --root it is started in that root folder (chroot), in which the repository must be at
// /opt/repo. It writes docs/spec/both-ways.md.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { render } from "@recourse/core";
import { recourse } from "@recourse/core/client";
import { table } from "../../scripts/generate/markdown.ts";
import { startShop } from "./shop.ts";

const { values } = parseArgs({ options: { root: { type: "string" } } });
const REPO = join(import.meta.dirname, "../..");
const CLI = ["--conditions=@recourse/source", join(REPO, "packages/cli/src/main.ts")];

/** Tools that the probe may call: they change nothing. */
const PROBED = ["accident_reading", "not_there", "accident", "sentence", "returned", "arguments"];

/** What one call ended with, as its caller saw it. */
interface Seen {
  readonly call: string;
  readonly attempts: number;
  readonly fault: {
    readonly kind: string;
    readonly effect: string;
    readonly reason: string;
    readonly incident: string | null;
  } | null;
  readonly text: string | null;
}

const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  accident: { order: 7 },
  accident_reading: { order: 7 },
  not_there: { order: 8 },
  sentence: {},
  returned: {},
  arguments: { count: "many" },
  nothing: {},
  busy: {},
  bad_result: {},
  slow: {},
};

/** A command that runs a Python file of the repository. */
function python(file: string, ...args: readonly string[]): readonly [string, ...string[]] {
  const repo = values.root === undefined ? REPO : "/opt/repo";
  const variables = [`PYTHONPATH=${repo}/python/src`, "PYTHONDONTWRITEBYTECODE=1", "PYTHONWARNINGS=ignore"];
  const run = ["env", ...variables, "python3", `${repo}/python/peers/${file}`, ...args];
  return values.root === undefined ? (run as [string, ...string[]]) : ["chroot", values.root, ...run];
}

/** Starts a program; its output is collected. */
function start([command, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], detached: true, env });
  const output = { text: "" };
  for (const pipe of [child.stdout, child.stderr]) pipe.on("data", (piece) => (output.text += String(piece)));
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const stop = async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
  };
  return { output, ended, stop };
}

async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let turn = 0; turn < 300; turn++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("waited 30 seconds for nothing");
}

/** The Python client against an address. */
async function pythonCalls(url: string, prefix = ""): Promise<readonly Seen[]> {
  const client = start(python("shop_client.py", url, prefix));
  await client.ended;
  const lines = client.output.text.split("\n").filter((line) => line.startsWith('{"call"'));
  if (lines.length !== Object.keys(CALLS).length) throw new Error(client.output.text);
  return lines.map((line) => JSON.parse(line) as Seen);
}

/** Whether the operator finds what the caller can report: "log" if the incident id stands in the log. */
function operatorFinds(seen: Seen, log: string): string {
  const id = seen.fault?.incident;
  return id == null ? "–" : log.includes(id) ? "the incident, by its id" : "nothing";
}

async function toTypeScript(): Promise<Way> {
  const reported: string[] = [];
  const shop = await startShop((id) => reported.push(id));
  const seen = await pythonCalls(shop.url.href);
  await shop.close();
  return { seen, log: reported.join("\n") };
}

async function throughGateway(folder: string): Promise<Way> {
  const config = {
    listen: "127.0.0.1:18471",
    store: "memory",
    authentication: "none",
    upstreams: { shop: { command: python("shop_server.py"), environment: { PATH: process.env["PATH"] } } },
  };
  const file = join(folder, "gateway.yaml");
  writeFileSync(file, JSON.stringify(config));
  const gateway = start([process.execPath, ...CLI, "serve", file]);
  try {
    const ready = async () =>
      (await fetch("http://127.0.0.1:18471/ready").catch(() => undefined))?.ok ? true : undefined;
    await until(ready).catch((error: unknown) => {
      throw new Error(gateway.output.text, { cause: error });
    });
    const seen = await pythonCalls("http://127.0.0.1:18471/mcp", "shop__");
    return { seen, log: gateway.output.text };
  } finally {
    await gateway.stop();
  }
}

async function fromTypeScript(): Promise<Way> {
  const [command, ...args] = python("shop_server.py");
  const transport = new StdioClientTransport({ command, args: [...args], stderr: "pipe", env: process.env as never });
  const client = new Client({ name: "research", version: "1.0.0" });
  let log = "";
  transport.stderr?.on("data", (piece) => (log += String(piece)));
  await client.connect(transport);
  const mcp = recourse(client);
  const seen: Seen[] = [];
  for (const [call, given] of Object.entries(CALLS)) {
    const outcome = await mcp.call(call, given, { timeoutMs: call === "slow" ? 1_000 : 20_000 });
    const { kind, effect, reason, incident } = outcome.ok ? ({} as never) : outcome.fault;
    seen.push({
      call,
      attempts: outcome.ok ? 1 : (outcome.fault.tried?.attempts ?? 1),
      fault: outcome.ok ? null : { kind, effect, reason, incident: incident ?? null },
      text: outcome.ok ? null : render(outcome.fault, { for: "model" }),
    });
  }
  await client.close();
  return { seen, log };
}

async function probe(
  ...args: readonly string[]
): Promise<{ readonly score: number; readonly findings: readonly string[] }> {
  const run = start([
    process.execPath,
    ...CLI,
    "probe",
    "--json",
    "--quiet",
    "--tools",
    PROBED.join(),
    ...python("shop_server.py", ...args),
  ]);
  await run.ended;
  const report = JSON.parse(run.output.text.slice(run.output.text.indexOf("{\n"))) as {
    readonly score: number;
    readonly checks: readonly { readonly id: string; readonly state: string }[];
  };
  return { score: report.score, findings: report.checks.filter(({ state }) => state === "fail").map(({ id }) => id) };
}

/** The calls over one way, and what its operator has. */
interface Way {
  readonly seen: readonly Seen[];
  readonly log: string;
}

const folder = mkdtempSync(join(tmpdir(), "recourse-python-"));
try {
  const ways: Readonly<Record<string, Way>> = {
    "Python client, TypeScript server": await toTypeScript(),
    "Python client, gateway, Python server": await throughGateway(folder),
    "TypeScript client, Python server": await fromTypeScript(),
  };
  const bare = await probe("--bare");
  const guarded = await probe();
  writeFileSync(join(REPO, "docs/spec/both-ways.md"), page(ways, bare, guarded));
  for (const [name, { seen }] of Object.entries(ways))
    for (const { call, fault, attempts, text } of seen)
      console.log(name, call, fault?.kind, fault?.effect, attempts, text);
  console.log(`probe: ${bare.score} bare, ${guarded.score} guarded`, guarded.findings);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

type Probed = Awaited<ReturnType<typeof probe>>;

function page(ways: Readonly<Record<string, Way>>, bare: Probed, guarded: Probed): string {
  const parts = Object.entries(ways).map(([name, { seen, log }]) => {
    const rows = seen.map((one) => [
      `\`${one.call}\``,
      one.fault === null ? "–" : `\`${one.fault.kind}\``,
      one.fault?.effect ?? "–",
      String(one.attempts),
      (one.text ?? "").replace(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, "01M7…"),
      operatorFinds(one, log),
    ]);
    return `## ${name}\n\n${table(["Call", "Kind", "Effect", "Sent", "What the model reads", "What the operator finds"], rows)}`;
  });
  return [
    "# Python and TypeScript, both ways\n",
    "Ten failures between the two implementations of the [specification](faults.md), with the official SDKs: `mcp` 1.28.1 for Python, 2.4 for\nTypeScript. A run, not a promise: `node --conditions=@recourse/source research/python/run.ts` writes this page.\n",
    "`sentence` raises `ToolError`, `returned` returns a result with `isError`, `nothing` is not a tool, `busy` is refused three times, `slow` answers after the\nclient has stopped waiting. `accident` and `bad_result` have a password in their exception; no caller saw it.\n",
    ...parts.map((part) => `${part}\n`),
    `## The probe\n\n\`recourse probe\` of the Python server: **${bare.score}** points with FastMCP alone, **${guarded.score}** with \`GuardedFastMCP\`. Left with the guard: ${guarded.findings.map((id) => `\`${id}\``).join(", ")}.`,
    "",
  ].join("\n");
}

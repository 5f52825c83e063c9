// Walks the way of a newcomer, from the packed packages only and outside this repository: starts each project, installs it,
// runs its tests and its program, and prints how long it took from the first command to the first answer.
//
//   node scripts/starters.ts          after node scripts/build.ts
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { command, tarballOf } from "./packed.ts";

/** The promise of docs/guide/start.md, with packages that npm has in its cache. */
const MAX_SECONDS = 60;
const INSTALL = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

// Packing is not a part of the newcomer's minute.
const CREATE = tarballOf("create-recourse");
const OURS = ["@recourse/core", "@recourse/faults", "@recourse/testing"].map(tarballOf);
const home = mkdtempSync(join(tmpdir(), "recourse-starters-"));
try {
  refuses();
  await walk("server", { run: ["run", "try"], firstAnswer: /^Order 7: a lamp/ });
  await speaksOverStdio(join(home, "my-server"));
  await asksForTheToken(join(home, "my-server"));
  await walk("agent", { run: ["start", "--", "--yes"], firstAnswer: /^tool +Order 7: a lamp/ });
} finally {
  rmSync(home, { recursive: true, force: true });
}

interface Walk {
  /** What a newcomer runs first with npm. */
  readonly run: readonly string[];
  /** The line that is the first answer of a tool. */
  readonly firstAnswer: RegExp;
}

/** From the first command to the first answer, then the tests and the types. */
async function walk(template: string, { run, firstAnswer }: Walk): Promise<void> {
  const folder = join(home, `my-${template}`);
  const started = performance.now();
  const { stdout } = create(basename(folder), ...(template === "server" ? [] : ["--template", template]));
  assert.match(stdout, /npm install/);
  const created = performance.now();
  command("npm", ["install", ...INSTALL, ...OURS], folder);
  const installed = performance.now();
  const child = spawn("npm", run, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const errors = child.stderr === null ? "" : text(child.stderr);
  const printed = await linesOf(child);
  assert.equal(child.exitCode, 0, await errors);
  const answered = printed.find(({ line }) => firstAnswer.test(line))?.at;
  assert.ok(answered !== undefined, `no line matched ${firstAnswer}`);
  assert.ok(
    shown(printed.map(({ line }) => line).join("\n")).includes(sampleOf(firstAnswer)),
    "start.md shows something else",
  );

  command("npm", ["test"], folder);
  command("npm", ["run", "types"], folder);
  const seconds = (answered - started) / 1_000;
  const part = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
  console.log(
    `${template}: first answer after ${seconds.toFixed(1)} s (create ${part(started, created)}, ` +
      `install ${part(created, installed)}, npm ${run[0]} ${part(installed, answered)}); tests and types pass`,
  );
  assert.ok(seconds < MAX_SECONDS, `the first answer has to come within ${MAX_SECONDS} s`);
}

/** Runs the program as `npm create` does: from its package, in an empty folder, without asking. */
function create(...args: readonly string[]) {
  const how = ["exec", "--yes", "--offline", `--package=${CREATE}`, "--", "create-recourse"];
  return spawnSync("npm", [...how, ...args], { cwd: home, encoding: "utf8" });
}

function refuses(): void {
  const cases = [
    { args: ["--help"], status: 0, says: /npm create recourse <folder>/ },
    { args: ["--version"], status: 0, says: /^\d+\.\d+\.\d+/ },
    { args: [], status: 2, says: /Name a folder/ },
    { args: ["a", "--template", "gateway"], status: 2, says: /There is no template "gateway"/ },
    { args: ["a", "--unknown"], status: 2, says: /--unknown/ },
    { args: ["."], status: 0, says: /is ready/ },
    { args: ["."], status: 1, says: /is not empty/ },
  ];
  for (const { args, status, says } of cases) {
    const run = create(...args);
    assert.equal(run.status, status, `${args.join(" ")}: ${run.stderr}`);
    const printed = run.stdout + run.stderr;
    assert.match(printed, says);
    assert.doesNotMatch(printed, /^ {4}at /m, "no stack trace");
  }
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true });
}

/** A client speaks to what `npm start` starts. */
async function speaksOverStdio(folder: string): Promise<void> {
  const client = new Client({ name: "newcomer", version: "0.1.0" });
  const args = ["start", "--silent"];
  await client.connect(new StdioClientTransport({ command: "npm", args, cwd: folder, stderr: "ignore" }));
  const { content } = await client.callTool({ name: "get_order", arguments: { order: 404 } });
  await client.close();
  assert.match(JSON.stringify(content), /There is no order 404\. Call again with a different name or id\./);
}

async function asksForTheToken(folder: string): Promise<void> {
  const env = { ...process.env, MCP_TOKEN: "token-of-the-newcomer", PORT: "0" };
  const child = spawn(process.execPath, ["src/main.ts", "--http"], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const url = await firstUrl(child);
    assert.equal((await fetch(url, { method: "POST", body: "{}" })).status, 401);
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

async function firstUrl({ stderr }: ChildProcess): Promise<string> {
  assert.ok(stderr !== null);
  for await (const line of createInterface({ input: stderr })) {
    const [found] = /http:\S+/.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error("the server ended before it listened");
}

/** What a program printed, each line with its time. Waits for its end. */
async function linesOf(child: ChildProcess): Promise<readonly { readonly line: string; readonly at: number }[]> {
  assert.ok(child.stdout !== null);
  const ended = once(child, "exit");
  const lines: { line: string; at: number }[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push({ line, at: performance.now() });
  await ended;
  return lines;
}

/** What docs/guide/start.md shows of the program with this answer. */
function sampleOf(firstAnswer: RegExp): string {
  const samples = [...readFileSync("docs/guide/start.md", "utf8").matchAll(/```text\n([\s\S]*?)```/g)];
  const found = samples.map(([, sample = ""]) => sample.trim()).find((one) => new RegExp(firstAnswer, "m").test(one));
  assert.ok(found !== undefined, `start.md shows no answer like ${firstAnswer}`);
  return shown(found);
}

/** Without what differs from run to run. */
function shown(printed: string): string {
  return printed.replaceAll(/incident [0-9A-Z]{26}/g, "incident ID").replaceAll(/in \d+ ms/g, "in N ms");
}

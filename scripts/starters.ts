// Walks the way of a newcomer, from the packed packages only and outside this repository: starts each project, installs it,
// runs its tests and its program, and prints how long it took from the first command to the first answer.
//
//   node scripts/starters.ts          after node scripts/build.ts
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { command, packAll } from "./packed.ts";

/** The promise of docs/guide/start.md, with packages that npm has in its cache. */
const MAX_SECONDS = 60;
const INSTALL = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

const tarballs = packAll(resolve(".cache/starters"));
const home = mkdtempSync(join(tmpdir(), "recourse-starters-"));
try {
  refuses();
  await walk("server", { script: "try", firstAnswer: /^Order 7: a lamp/ });
  await speaksOverStdio(join(home, "my-server"));
  await asksForTheToken(join(home, "my-server"));
  await walk("agent", { script: "start", firstAnswer: /^tool +Order 7: a lamp/ });
} finally {
  rmSync(home, { recursive: true, force: true });
}

interface Walk {
  /** The npm script that a newcomer runs first. */
  readonly script: string;
  /** The line that is the first answer of a tool. */
  readonly firstAnswer: RegExp;
}

/** From the first command to the first answer, then the tests and the types. */
async function walk(template: string, { script, firstAnswer }: Walk): Promise<void> {
  const folder = join(home, `my-${template}`);
  const started = performance.now();
  const { stdout } = create(basename(folder), ...(template === "server" ? [] : ["--template", template]));
  assert.match(stdout, /npm install/);
  const created = performance.now();
  command("npm", ["install", ...INSTALL, packed("@recourse/faults")], folder);
  const installed = performance.now();
  const child = spawn("npm", ["run", script], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const errors = child.stderr === null ? "" : text(child.stderr);
  const answered = await timeOf(firstAnswer, child);
  assert.equal(child.exitCode, 0, await errors);

  command("npm", ["test"], folder);
  command("npm", ["run", "types"], folder);
  const seconds = (answered - started) / 1_000;
  const part = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
  console.log(
    `${template}: first answer after ${seconds.toFixed(1)} s (create ${part(started, created)}, ` +
      `install ${part(created, installed)}, npm run ${script} ${part(installed, answered)}); tests and types pass`,
  );
  assert.ok(seconds < MAX_SECONDS, `the first answer has to come within ${MAX_SECONDS} s`);
}

/** Runs the program as `npm create` does: from its package, in an empty folder, without asking. */
function create(...args: readonly string[]) {
  const how = ["exec", "--yes", "--offline", `--package=${packed("create-recourse")}`, "--", "create-recourse"];
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

/** When a line was printed. Waits for the end of the program. */
async function timeOf(line: RegExp, child: ChildProcess): Promise<number> {
  assert.ok(child.stdout !== null);
  const ended = once(child, "exit");
  let at: number | undefined;
  for await (const printed of createInterface({ input: child.stdout })) {
    if (line.test(printed)) at ??= performance.now();
  }
  await ended;
  assert.ok(at !== undefined, `no line matched ${line}`);
  return at;
}

function packed(name: string): string {
  const found = tarballs.find((file) => basename(file).startsWith(`${name.replace("@", "").replace("/", "-")}-`));
  assert.ok(found !== undefined, `${name} is not packed`);
  return found;
}

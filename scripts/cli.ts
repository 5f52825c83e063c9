// Walks the command line as a user gets it: packed, installed into an empty project, started by its name. Prints how long
// each command takes to its first output and to its end, and what was installed.
//
//   node scripts/cli.ts          after node scripts/build.ts
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { command, NPM, tarballOf } from "./packed.ts";
import { twoAtOnce } from "./two-at-once.ts";

/** The promises of docs/cli. A busy machine may take three times as long. */
const FIRST_OUTPUT_MS = 3_000;
const PROBE_MS = 10_000;
const IS_CI = process.env["CI"] !== undefined;
const SLACK = IS_CI ? 3 : 1;
const FILESYSTEM = resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");

interface Walk {
  readonly args: readonly string[];
  readonly exit: number;
  /** What stdout and stderr say together. */
  readonly says: RegExp;
  readonly input?: string;
  /** @default the limit for a first output */
  readonly limitMs?: number;
}

const home = mkdtempSync(join(tmpdir(), "recourse-cli-"));
const CALL = '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Request timed out"}}';
const WALKS: readonly Walk[] = [
  { args: ["--version"], exit: 0, says: /^\d+\.\d+\.\d+/ },
  { args: ["--help"], exit: 0, says: /recourse probe/ },
  { args: ["prob"], exit: 2, says: /probe/ },
  { args: ["explain", "-32001"], exit: 0, says: /session not found/i },
  { args: ["explain", "--json", "core/timeout"], exit: 0, says: /"core\/timeout"/ },
  { args: ["decode"], input: `${CALL}\n`, exit: 0, says: /1 failure/ },
  { args: ["peer", "--list"], exit: 0, says: /lost/ },
  { args: ["demo", "--fast"], exit: 0, says: /guard\(/, limitMs: PROBE_MS },
  { args: ["serve"], exit: 2, says: /npm install @recourse\/gateway/ },
  { args: ["doctor", "node", "missing.js"], exit: 1, says: /D5/ },
  { args: ["doctor", "node", FILESYSTEM, home], exit: 0, says: /ready/i },
  { args: ["probe", "http://127.0.0.1:1/mcp"], exit: 3, says: /recourse doctor/ },
  { args: ["probe", "node", FILESYSTEM, home], exit: 0, says: /checks/, limitMs: PROBE_MS },
  { args: ["probe", "--json", "node", FILESYSTEM, home], exit: 0, says: /"score"/, limitMs: PROBE_MS },
];

try {
  const installed = install();
  // Two at once disturb each other, so the figures are those of one at a time.
  if (IS_CI) await twoAtOnce(WALKS.map((walk) => () => run(walk)));
  else for (const walk of WALKS) await run(walk);
  console.log(`installed: ${installed.map(({ name, bytes }) => `${name} ${Math.round(bytes / 1024)} kB`).join(", ")}`);
  assert.deepEqual(
    installed.map(({ name }) => name),
    ["@recourse/cli", "@recourse/core", "@recourse/explain", "@recourse/testing"],
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Installs the program from its tarball, and returns everything that came with it. */
function install(): readonly { readonly name: string; readonly bytes: number }[] {
  const tarballs = ["@recourse/cli", "@recourse/core", "@recourse/explain", "@recourse/testing"].map(tarballOf);
  writeFileSync(join(home, "package.json"), JSON.stringify({ name: "empty", private: true }));
  command("npm", ["install", ...NPM, ...tarballs], home);
  const manifests = globSync(["node_modules/*/package.json", "node_modules/@*/*/package.json"], { cwd: home });
  return manifests.toSorted().map((file) => {
    const folder = join(home, file, "..");
    const files = globSync(`${folder}/**`, { withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0);
    return { name: file.slice("node_modules/".length, -"/package.json".length), bytes };
  });
}

async function run({ args, exit, says, input = "", limitMs = FIRST_OUTPUT_MS }: Walk): Promise<void> {
  const started = performance.now();
  const env = { ...process.env, NO_COLOR: "1" };
  const child = spawn(join(home, "node_modules/.bin/recourse"), args, { cwd: home, env });
  let firstMs: number | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.once("data", () => {
      firstMs ??= performance.now() - started;
    });
  }
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const wholeMs = performance.now() - started;
  const line = `recourse ${args.map((one) => (one.startsWith(home) || one === FILESYSTEM ? "…" : one)).join(" ")}`;
  console.log(`${line}: first output ${Math.round(firstMs ?? wholeMs)} ms, whole ${Math.round(wholeMs)} ms`);
  assert.equal(child.exitCode, exit, `${line}\n${stdout}${stderr}`);
  assert.match(stdout + stderr, says, line);
  assert.doesNotMatch(stdout + stderr, /^ {4}at /m, `${line} prints a stack trace`);
  assert.ok(wholeMs < limitMs * SLACK, `${line} took longer than ${limitMs} ms`);
}

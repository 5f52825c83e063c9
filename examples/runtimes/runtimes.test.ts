import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { openPage } from "./browser.ts";
import { makeCalls } from "./calls.ts";
import { startFragile } from "./fragile.ts";
import { COMMANDS, type Host, type Program, type Runtime, start } from "./hosts.ts";
import { type Peers, startPeers } from "./peers.ts";
import { type Input, type Report, runProgram } from "./program.ts";
import { readPage, readVectors } from "./repository.ts";
import { type Found, featureTable, lossTable } from "./results.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const versionOf = (name: string) => (require(`${name}/package.json`) as { version: string }).version;

const NAMES = {
  node: `Node ${process.versions.node.split(".")[0]}`,
  bun: `Bun ${versionOf("@oven/bun-linux-x64")}`,
  deno: `Deno ${versionOf("@deno/linux-x64-glibc")}`,
  workerd: `workerd ${versionOf("workerd").split(".")[1]}`,
  chromium: "Chromium",
} as const;
const RUNTIMES: readonly Runtime[] = ["node", "bun", "deno", "workerd"];
const PROGRAMS = Object.keys(COMMANDS) as Program[];
const SDKS = ["v1", "v2"] as const;

const DOWN = "service of the tool is down";
/** There, `fetch` does not say that a connection was refused, so the call may have had an effect. */
const NO_PROOF: readonly string[] = ["deno", "workerd"];
const withoutDown = <R extends { readonly call: string }>(rows: readonly R[]) =>
  rows.filter(({ call }) => call !== DOWN);

/** What each call ends with, in every runtime and with both versions of the SDK. */
const EXPECTED_CALLS = [
  ["success", "ok", undefined],
  ["fault of the tool", "adhoc/not_found", "none"],
  ["error with a secret", "tool/failed", "possible"],
  ["wrong arguments", "tool/invalid_arguments", "none"],
  ["unknown tool", "tool/not_found", "none"],
  [DOWN, "core/unavailable", "none"],
  ["too late", "timeout", "possible"],
  ["cancelled", "core/cancelled", "possible"],
  ["same key again", "ok", undefined],
  ["same key, other arguments", "idempotency/key_reused", "none"],
  ["no credentials", "auth/unauthorized", "none"],
];
const EXPECTED_STDIO = [
  ["success", "ok"],
  ["stray print", "ok"],
  ["fault of the tool", "adhoc/not_found"],
  ["error with a secret", "tool/failed"],
  ["wrong arguments", "tool/invalid_arguments"],
  ["key", "ok"],
  ["same key again", "ok"],
  ["process ends", "transport/exited"],
  ["process is gone", "transport/not_connected"],
];

/** A program that takes so long hangs, however slow the machine is. */
const HANGING_MS = 600_000;

const found = new Map<string, Found>(Object.entries(NAMES).map(([id, name]) => [id, { name, cells: {}, losses: [] }]));
const hosts = new Map<Runtime, Host>();
const vectors = readVectors();
let peers: Peers;
let fragile: Awaited<ReturnType<typeof startFragile>>;
let reference: Report;

const base = (runtime: Runtime) => hosts.get(runtime)?.base ?? "";
const works = (id: string, row: string, cell = "✓") => Object.assign(found.get(id)?.cells ?? {}, { [row]: cell });

/** Runs the program within a runtime, against its own server. */
async function runOn(runtime: Runtime): Promise<Report> {
  const input: Input = { base: base(runtime), bad: peers.bad, fragile: fragile.url, vectors };
  const reply = await fetch(`${base(runtime)}/run`, { method: "POST", body: JSON.stringify(input) });
  assert.equal(reply.status, 200);
  return (await reply.json()) as Report;
}

/** Checks a report against what is expected everywhere, and against Node's own. */
function check(id: string, report: Report): void {
  for (const sdk of SDKS) {
    const rows = report.calls[sdk].map(({ call, reason, effect }) => [call, reason, effect]);
    const expected = EXPECTED_CALLS.map(([call, reason, effect]) =>
      call === DOWN && NO_PROOF.includes(id) ? [call, reason, "possible"] : [call, reason, effect],
    );
    assert.deepEqual(rows, expected);
    assert.deepEqual(withoutDown(report.calls[sdk]), withoutDown(reference.calls[sdk]));
    assert.equal(
      report.calls[sdk].some(({ leaks }) => leaks),
      false,
    );
    works(id, `client kit, SDK ${sdk}`);
    for (const loss of report.losses[sdk]) {
      const hasEffect = loss.effect === "possible";
      assert.ok(hasEffect || loss.how === "refused", `${loss.how} counts as never sent`);
      assert.ok(["", `${loss.reason}, ${loss.effect}`].includes(loss.unobserved) || hasEffect, loss.unobserved);
      assert.match(loss.reason, /^transport\//);
    }
  }
  assert.deepEqual(
    report.losses.v1.map(({ how, reason, effect }) => [how, reason, effect]),
    report.losses.v2.map(({ how, reason, effect }) => [how, reason, effect]),
  );
  Object.assign(found.get(id) ?? {}, { losses: report.losses.v2 });
  assert.equal(report.broken.effect, "possible");
  works(id, "sends a call once when a kept connection breaks", report.broken.received === 1 ? "✓" : "twice");
  assert.deepEqual(report.vectors, { ...reference.vectors, wrong: [] });
  works(id, "decodes and encodes every conformance vector");
  assert.deepEqual(report.entries, reference.entries);
  works(id, "imports every entry point but `@recourse/testing/peer`");
}

before(async () => {
  peers = await startPeers();
  fragile = await startFragile();
  for (const runtime of RUNTIMES) hosts.set(runtime, await start(runtime));
  reference = await runProgram({ base: base("node"), bad: peers.bad, fragile: fragile.url, vectors });
});

after(async () => {
  peers.close();
  fragile.close();
  for (const host of hosts.values()) await host.stop();
});

describe("over HTTP", () => {
  for (const runtime of RUNTIMES) {
    test(`${NAMES[runtime]} guards a server, calls it, and reads every vector as Node does`, async () => {
      check(runtime, await runOn(runtime));
    });

    test(`a client on Node calls ${NAMES[runtime]}, and its operator learns the cause`, async () => {
      for (const sdk of SDKS) {
        const rows = await makeCalls({ url: `${base(runtime)}/${sdk}`, sdk }, peers.bad.refused);
        assert.deepEqual(withoutDown(rows), withoutDown(reference.calls[sdk]));
        works(runtime, `guarded server, SDK ${sdk}`);
      }
      const incidents = (await (await fetch(`${base(runtime)}/incidents`)).json()) as string[];
      assert.ok(incidents.some((text) => text.includes("hunter2")));
    });
  }
});

describe("over stdio", () => {
  for (const client of PROGRAMS) {
    for (const server of PROGRAMS) {
      test(`${NAMES[client]} starts and calls a server on ${NAMES[server]}`, async () => {
        for (const rows of await Promise.all(SDKS.map((sdk) => callOverStdio(client, server, sdk)))) {
          assert.deepEqual(
            rows.map(({ call, reason }) => [call, reason]),
            EXPECTED_STDIO,
          );
          assert.equal(
            rows.some(({ leaks }) => leaks),
            false,
          );
        }
        works(client, "client over stdio");
      });
    }
  }

  for (const server of PROGRAMS) {
    test(`nothing but messages is on the standard output of ${NAMES[server]}`, async () => {
      const { stdout, stderr } = await talk(server);
      const lines = stdout.trimEnd().split("\n");
      for (const line of lines) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, "2.0");
      assert.ok(
        lines.some((line) => line.includes("-32700")),
        "broken JSON is answered",
      );
      assert.ok(stderr.includes("a stray line"));
      works(server, "guarded server over stdio");
    });
  }
});

interface StdioRow {
  readonly call: string;
  readonly reason: string;
  readonly leaks: boolean;
}

async function callOverStdio(client: Program, server: Program, sdk: string): Promise<readonly StdioRow[]> {
  const [command, ...args] = [...COMMANDS[client], script("stdio-client.ts"), sdk];
  const serving = [...COMMANDS[server], script("stdio-server.ts"), sdk];
  const { stdout, stderr } = await run(command as string, [...args, ...serving], { timeout: HANGING_MS });
  assert.ok(stdout.startsWith("["), stderr);
  return JSON.parse(stdout) as StdioRow[];
}

/** Sends a broken line and a call of the tool that prints, and reads until both are answered. */
function talk(server: Program): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const [command, ...args] = [...COMMANDS[server], script("stdio-server.ts"), "v1"];
  const child = spawn(command as string, args);
  const clientInfo = { name: "raw", version: "1.0.0" };
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  send({ method: "notifications/initialized" });
  child.stdin.write("{ broken\n");
  send({ id: 2, method: "tools/call", params: { name: "print", arguments: {} } });
  return new Promise((resolve) => {
    let [stdout, stderr] = ["", ""];
    const look = () => {
      const isAnswered = stdout.includes('"id":2') && stdout.includes("-32700");
      if (isAnswered && stderr.includes("stray")) child.kill("SIGKILL");
    };
    // Without an answer the test fails, instead of waiting for one.
    const limit = setTimeout(() => child.kill("SIGKILL"), HANGING_MS);
    child.stdout.on("data", (bytes: Buffer) => {
      stdout += bytes;
      look();
    });
    child.stderr.on("data", (bytes: Buffer) => {
      stderr += bytes;
      look();
    });
    child.once("close", () => {
      clearTimeout(limit);
      resolve({ stdout, stderr });
    });
  });
}

test("a page in Chromium decodes, renders, and calls a guarded server of another origin", async () => {
  const { page, version, close } = await openPage();
  try {
    console.log(`Chromium ${version}`);
    const input: Input = { base: base("node"), bad: peers.bad, fragile: fragile.url, vectors };
    const module = "/library.js";
    const inPage = async ({ input, module }: { input: Input; module: string }) => {
      const library = (await import(module)) as typeof import("./in-browser.ts");
      const element = document.querySelector("#fault");
      const body = { title: "Not found", detail: "There is no <b>order</b> 9." };
      if (element !== null) library.show({ status: 404, body }, element);
      return library.runProgram(input);
    };
    check("chromium", await page.evaluate(inPage, { input, module }));
    assert.notEqual(await page.locator("#fault").textContent(), "");
    assert.equal(await page.locator("#fault b").count(), 0);
  } finally {
    await close();
  }
});

test("the misbehaving server of the tests needs the modules of Node", async () => {
  const text = "await import('@recourse/testing/peer'); console.log('imported')";
  for (const program of PROGRAMS) {
    const file = script(`.peer-${program}.ts`);
    writeFileSync(file, text);
    const [command, ...args] = COMMANDS[program];
    const { stdout } = spawnSync(command as string, [...args, file], { encoding: "utf8", timeout: HANGING_MS });
    works(program, "imports `@recourse/testing/peer`", stdout.includes("imported") ? "✓" : "–");
  }
  assert.equal(found.get("node")?.cells["imports `@recourse/testing/peer`"], "✓");
});

test("the guide says what was found here", () => {
  const all = [...found.values()];
  writeFileSync(script(".results.json"), JSON.stringify(all, undefined, 2));
  const page = readPage();
  for (const table of [featureTable(all), lossTable(all)])
    assert.ok(page.includes(table), `docs/guide/runtimes.md lacks this table:\n${table}\n`);
});

function script(name: string): string {
  return join(import.meta.dirname, name);
}

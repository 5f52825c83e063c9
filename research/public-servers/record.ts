// Causes every failure of docs/public-servers.md and stores what a model reads. `npm run generate` makes the page.
//
//   npm run research -- public-servers              all servers; installs those that are not part of the tests
//   npm run research -- public-servers --tested     only the servers that are part of the tests
//   npm run research -- public-servers github …     only these installed servers
//   npm run research -- public-servers --check …    stores nothing, and fails if a figure of an installed server is worse
//   npm run research -- public-servers --worse      stores figures although some are worse
//   npm run research -- public-servers --held-out   the servers that were held out; it runs them once
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { json } from "../../scripts/generate/json.ts";
import type { InstalledServer } from "./installed/case.ts";
import { worseThan } from "./installed/figures.ts";
import { installServers } from "./installed/install.ts";
import { type InstalledReadings, runInstalled } from "./installed/run.ts";
import { HELD_OUT, SERVERS } from "./installed/servers.ts";
import { figuresIn, isHeldOutRun, missingWords, store, stored } from "./installed/stored.ts";
import { runPublicServers } from "./run.ts";

const { values, positionals } = parseArgs({
  options: {
    tested: { type: "boolean" },
    check: { type: "boolean" },
    worse: { type: "boolean" },
    "held-out": { type: "boolean" },
  },
  allowPositionals: true,
});

const started = performance.now();
if (values["held-out"] === true) await recordHeldOut();
else if (values.check === true) await check(chosen());
else {
  if (positionals.length === 0) await recordTested();
  if (values.tested !== true) await recordInstalled(chosen());
}
console.log(`${((performance.now() - started) / 1_000).toFixed(1)} s`);

function chosen(): Readonly<Record<string, InstalledServer>> {
  const unknown = positionals.filter((name) => !Object.hasOwn(SERVERS, name));
  if (unknown.length > 0)
    throw new Error(`no such server: ${unknown.join(", ")}; there are ${Object.keys(SERVERS).join(", ")}`);
  if (positionals.length === 0) return SERVERS;
  return Object.fromEntries(Object.entries(SERVERS).filter(([name]) => positionals.includes(name)));
}

async function recordTested(): Promise<void> {
  const readings = await runPublicServers();
  writeFileSync(new URL("readings.json", import.meta.url), json(readings));
  const count = Object.values(readings).reduce((sum, of) => sum + Object.keys(of).length, 0);
  console.log(`${count} failures of servers that are part of the tests`);
}

async function readingsOf(servers: Readonly<Record<string, InstalledServer>>): Promise<InstalledReadings> {
  installServers();
  const readings = await runInstalled(servers);
  const missing = missingWords(servers, readings);
  if (missing.length > 0) throw new Error(missing.join("\n"));
  return readings;
}

async function recordInstalled(servers: Readonly<Record<string, InstalledServer>>): Promise<void> {
  const readings = await readingsOf(servers);
  const all = { ...stored("readings"), ...readings };
  store("readings", Object.fromEntries(Object.keys(SERVERS).flatMap((name) => (all[name] ? [[name, all[name]]] : []))));
  const figures = figuresIn(servers, readings);
  const worse = worseThan(stored("figures"), figures);
  if (worse.length === 0 || values.worse === true) store("figures", { ...stored("figures"), ...figures });
  report(worse);
}

async function check(servers: Readonly<Record<string, InstalledServer>>): Promise<void> {
  report(worseThan(stored("figures"), figuresIn(servers, await readingsOf(servers))));
}

function report(worse: readonly string[]): void {
  for (const line of worse) console.error(line);
  if (worse.length > 0 && values.worse !== true) process.exitCode = 1;
}

/** Who has read a server's guarded texts can write rules for it, so the first run counts. */
async function recordHeldOut(): Promise<void> {
  if (isHeldOutRun()) throw new Error("the servers that were held out have been run: held-out.json");
  installServers();
  store("heldOut", await runInstalled(HELD_OUT));
}

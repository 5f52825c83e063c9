// Probes the shop on each kit, public servers from npm, their guarded versions and the reference servers, each as a user would:
// with the program in a process of its own. It prints a table, and writes .cache/survey/results.json and docs/survey.md.
//
//   npm run research -- survey [name …]     probes all of them, or those named, bare and guarded
//   npm run research -- survey --install    installs the public servers first
//   npm run research -- survey --lock       writes their lock again after package.json has changed
//   npm run research -- survey --page       writes docs/survey.md from the last results
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { command } from "../../scripts/packed.ts";
import type { Entry } from "./entry.ts";
import { databaseOf, OWN_SERVERS } from "./own-servers.ts";
import { surveyPage } from "./page.ts";
import { INSTALLED, type Surveyed, survey } from "./probe.ts";
import { HELD_OUT_SERVERS, PUBLIC_SERVERS } from "./public-servers.ts";
import { rowOf, toText } from "./table.ts";

const PROJECT = "research/survey/project";
const RESULTS = join(INSTALLED, "results.json");
const NPM = [
  "--ignore-scripts",
  "--legacy-peer-deps",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
  "--prefer-offline",
];
/** More at once would make slow servers out of a busy machine. */
const AT_ONCE = 2;

const { values, positionals } = parseArgs({
  options: { install: { type: "boolean" }, lock: { type: "boolean" }, page: { type: "boolean" } },
  allowPositionals: true,
});
const entries = withGuarded({ ...OWN_SERVERS, ...PUBLIC_SERVERS, ...HELD_OUT_SERVERS });
if (values.lock === true) writeLock();
else if (values.page === true) writePage();
else await main();

async function main(): Promise<void> {
  const names = Object.keys(entries).filter(isChosen);
  if (names.length === 0) throw new Error(`no such server; there are ${Object.keys(entries).join(", ")}`);
  if (values.install === true || !existsSync(join(INSTALLED, "node_modules"))) install();
  cpSync(join(PROJECT, "fastmcp.js"), join(INSTALLED, "fastmcp.js"));
  await makeDatabase();
  const queue = [...names];
  const results = new Map<string, Surveyed>();
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const result = await survey(name, entries[name] as Entry);
      results.set(name, result);
      keep([result]);
      console.error(toText([rowOf(result, entries[name] as Entry)]).split("\n")[1]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const ordered = names.map((name) => results.get(name) as Surveyed);
  console.log(toText(ordered.map((one) => rowOf(one, entries[one.name] as Entry))));
  writePage();
}

function isChosen(name: string): boolean {
  return positionals.length === 0 || positionals.some((one) => name === one || name.startsWith(`${one},`));
}

/** Two more entries for each server that can be guarded: with `guard` alone, and with all guards. */
function withGuarded(all: Readonly<Record<string, Entry>>): Readonly<Record<string, Entry>> {
  const guarded = Object.entries(all)
    .filter(([, { guardable }]) => guardable === true)
    .flatMap(([name, entry]): [string, Entry][] => [
      [`${name}, guard`, { ...entry, group: "step", guarded: true, env: { ...entry.env, SURVEY_GUARD: "guard" } }],
      [`${name}, guarded`, { ...entry, group: "guarded", guarded: true }],
    ]);
  return { ...all, ...Object.fromEntries(guarded) };
}

/** Results of servers that were not probed now stay as they were. */
function keep(results: readonly Surveyed[]): void {
  const before = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, "utf8")) as Surveyed[]) : [];
  const kept = before.filter(({ name }) => !results.some((one) => one.name === name));
  writeFileSync(RESULTS, JSON.stringify([...kept, ...results]));
}

function writePage(): void {
  const results = JSON.parse(readFileSync(RESULTS, "utf8")) as Surveyed[];
  const order = Object.keys(entries);
  const known = results.filter(({ name }) => order.includes(name));
  const sorted = known.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  writeFileSync("docs/survey.md", surveyPage(sorted, entries));
}

function install(): void {
  mkdirSync(INSTALLED, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(PROJECT, file), join(INSTALLED, file));
  command("npm", ["ci", ...NPM], INSTALLED);
}

function writeLock(): void {
  mkdirSync(INSTALLED, { recursive: true });
  rmSync(join(INSTALLED, "package-lock.json"), { force: true });
  cpSync(join(PROJECT, "package.json"), join(INSTALLED, "package.json"));
  cpSync(".npmrc", join(INSTALLED, ".npmrc"));
  command("npm", ["install", "--package-lock-only", ...NPM], INSTALLED);
  cpSync(join(INSTALLED, "package-lock.json"), join(PROJECT, "package-lock.json"));
}

/** A table for the servers that read from PostgreSQL. The reference servers make their own databases. */
async function makeDatabase(): Promise<void> {
  const url = new URL(databaseOf("public"));
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  await withClient(url.href, async (client) => {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  });
  await withClient(databaseOf("public"), async (client) => {
    await client.query("create table if not exists item (id int primary key, name text)");
    await client.query("insert into item values (1, 'tea') on conflict do nothing");
  });
}

async function withClient(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

// Probes public servers that no rule was written with, three times each, and once more without the annotations of their tools.
//
//   npm run research -- unseen [--folder <folder>] [--times 3] [name …]
//
// It installs each server in a folder of its own below `--folder` (.cache/unseen by default), keeps every recording there, writes
// results.json, and prints a table. Whether a finding is true is for people to read: docs/unseen.md says who read what.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { command } from "../../scripts/packed.ts";
import type { Entry } from "../survey/entry.ts";
import { type Surveyed, survey } from "../survey/probe.ts";
import { UNSEEN_SERVERS, type UnseenServer } from "./servers.ts";

const { values, positionals } = parseArgs({
  options: { folder: { type: "string" }, times: { type: "string" } },
  allowPositionals: true,
});
const folder = resolve(values.folder ?? ".cache/unseen");
const times = Number(values.times ?? "3");
const RESULTS = join(folder, "results.json");
const NPM = ["install", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"];
/** More at once would make slow servers out of a busy machine. */
const AT_ONCE = 2;

/** All runs of one server. */
interface UnseenResult {
  readonly name: string;
  readonly version: string;
  readonly runs: readonly Surveyed[];
  readonly withoutAnnotations?: Surveyed;
}

const results: UnseenResult[] = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : [];
const queue = Object.entries<UnseenServer>(UNSEEN_SERVERS).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(["server\tscores\twithout annotations\tcalled\tcoverage", ...results.map(lineOf)].join("\n"));

async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const result = await probeServer(...next);
    const at = results.findIndex(({ name }) => name === result.name);
    results.splice(at < 0 ? results.length : at, at < 0 ? 0 : 1, result);
    writeFileSync(RESULTS, JSON.stringify(results));
    console.error(lineOf(result));
  }
}

async function probeServer(name: string, { version, args, env }: UnseenServer): Promise<UnseenResult> {
  const installedIn = join(folder, "pkgs", `${name}@${version}`.replaceAll(/[/@]/g, "_"));
  if (!existsSync(join(installedIn, "node_modules"))) {
    mkdirSync(installedIn, { recursive: true });
    writeFileSync(join(installedIn, "package.json"), '{"private":true}');
    command("npm", [...NPM, `${name}@${version}`], installedIn);
  }
  if (!existsSync(join(installedIn, "node_modules", name))) return { name, version, runs: [] };
  const file = programOf(join(installedIn, "node_modules", name));
  const entry: Entry = {
    group: "held-out",
    package: name,
    installedIn,
    file,
    ...(args && { args }),
    ...(env && { env }),
  };
  const runs: Surveyed[] = [];
  for (let run = 1; run <= times; run += 1) {
    runs.push(await survey(`${name.replaceAll("/", "_")}.${run}`, entry));
    if (runs[0]?.report === undefined) return { name, version, runs };
  }
  const bare = await survey(`${name.replaceAll("/", "_")}.bare`, { ...entry, withoutAnnotations: true });
  return { name, version, runs, withoutAnnotations: bare };
}

/** The first program that a package installs. */
function programOf(root: string): string {
  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { bin?: string | object };
  return typeof bin === "string" ? bin : String(Object.values(bin ?? {})[0]);
}

function lineOf({ name, runs, withoutAnnotations }: UnseenResult): string {
  const score = (one: Surveyed | undefined) =>
    one?.report === undefined ? (one?.failed?.slice(0, 120) ?? "") : `${one.report.score} ${one.report.grade}`;
  const [first] = runs;
  const called = String(first?.report?.called.length ?? 0);
  const { applied = 0, of = 0 } = first?.report?.coverage ?? {};
  return [name, runs.map(score).join(" · "), score(withoutAnnotations), called, `${applied}/${of}`].join("\t");
}

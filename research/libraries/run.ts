// Calls real libraries that fail, in a tool of a bare and of a guarded server, and judges what a model reads. It prints the
// figures of docs/library-errors.md. It installs the libraries in .cache/library-errors, and starts services on loopback.
//
//   npm run research -- libraries [library …]          calls all of them, or those named
//   npm run research -- libraries --packages <folder>  the same with packages of another version, such as an older one
//   npm run research -- libraries --fixtures           also writes the shapes that the fast tests read
//   npm run research -- libraries --figures <file>     prints the figures of an earlier run
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { command } from "../../scripts/packed.ts";
import { type CalledCase, fixturesOf, toFigures } from "./figures.ts";
import { startStudyServices } from "./services.ts";

const PROJECT = "research/libraries/project";
const INSTALLED = ".cache/library-errors";
const RESULTS = "results.jsonl";
const FIXTURES = "packages/core/test/thrown/library-errors.jsonl";
const NPM = ["install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];

const { values, positionals } = parseArgs({
  options: { packages: { type: "string" }, fixtures: { type: "boolean" }, figures: { type: "string" } },
  allowPositionals: true,
});

if (values.figures === undefined) await callAll();
const called = readCases(values.figures ?? join(INSTALLED, RESULTS));
console.log(toFigures(called));
if (values.fixtures === true)
  writeFileSync(
    FIXTURES,
    `${fixturesOf(called)
      .map((one) => JSON.stringify(one))
      .join("\n")}\n`,
  );

async function callAll(): Promise<void> {
  install();
  const services = await startStudyServices();
  try {
    const args = ["--conditions=@recourse/source", "call-all.mjs", RESULTS, ...positionals];
    const { status } = spawnSync(process.execPath, args, {
      cwd: INSTALLED,
      stdio: "inherit",
      env: { ...process.env, ...services.env },
    });
    if (status !== 0) throw new Error(`the calls ended with ${status}`);
  } finally {
    await services.stop();
  }
}

function install(): void {
  mkdirSync(INSTALLED, { recursive: true });
  cpSync(PROJECT, INSTALLED, { recursive: true });
  if (!existsSync(join(INSTALLED, "node_modules"))) command("npm", NPM, INSTALLED);
  writeFileSync(join(INSTALLED, "noexec.sh"), "#!/bin/sh\n", { mode: 0o644 });
  const scope = join(INSTALLED, "node_modules/@recourse");
  rmSync(scope, { recursive: true, force: true });
  mkdirSync(scope);
  for (const name of ["core", "faults"]) symlinkSync(resolve(values.packages ?? "packages", name), join(scope, name));
}

function readCases(file: string): readonly CalledCase[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as CalledCase);
}

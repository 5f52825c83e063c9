// Prints how long importing each entry point takes in a fresh process, beside an empty module in the same run.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LIMITS: Readonly<Record<string, number | undefined>> = { "@recourse/faults": 20, "@recourse/faults/server": 30 };
const DOORS = ["", "/server", "/client", "/dialects", "/retry", "/safety", "/schema", "/telemetry", "/explain"].map(
  (door) => `@recourse/faults${door}`,
);
const ROUNDS = Number(process.argv[2] ?? 15);
/** By how much a limit may be exceeded: a machine with other work on it is slower than the one the limits were set on. */
const TOLERANCE = Number(process.argv[3] ?? 1);

const folder = mkdtempSync(join(tmpdir(), "import-time-"));
writeFileSync(join(folder, "empty.mjs"), "");
const subjects = [join(folder, "empty.mjs"), ...DOORS];
const times = new Map<string, number[]>(subjects.map((one) => [one, []]));
// The subjects take turns, so that other work on the machine disturbs all of them alike.
for (let round = 0; round < ROUNDS; round++) for (const one of subjects) times.get(one)?.push(timeOf(one));
rmSync(folder, { recursive: true });

const empty = median(times.get(subjects[0] as string) ?? []);
console.log(`an empty module: ${empty.toFixed(1)} ms (median of ${ROUNDS} processes)`);
for (const door of DOORS) {
  const more = median(times.get(door) ?? []) - empty;
  const limit = LIMITS[door];
  const isOver = limit !== undefined && more > limit * TOLERANCE;
  if (isOver) process.exitCode = 1;
  console.log(
    `${door}: ${more.toFixed(1)} ms more${limit === undefined ? "" : `, limit ${limit}`}${isOver ? " EXCEEDED" : ""}`,
  );
}

/** Milliseconds that an import takes, measured inside a fresh process. */
function timeOf(specifier: string): number {
  const code = `const t = performance.now(); await import(${JSON.stringify(specifier)}); console.log(performance.now() - t);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

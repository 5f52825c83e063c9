// The Python implementation: its own tests, and the vectors through the runner. Skipped if there is no Python 3.10 or later.
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const version = spawnSync("python3", ["-c", "import sys; print(sys.version_info >= (3, 10))"], { encoding: "utf8" });
const hasPython = version.stdout?.trim() === "True";
const env = { ...process.env, PYTHONPATH: join(ROOT, "python/src"), PYTHONDONTWRITEBYTECODE: "1" };
const run = promisify(execFile);

it.runIf(hasPython)("passes its own tests (those of the SDK only if the package mcp is installed)", async () => {
  const tests = ["-m", "unittest", "discover", "-s", "tests"];
  const { stderr } = await run("python3", tests, { cwd: join(ROOT, "python"), env });
  expect(stderr).toMatch(/^Ran \d\d+ tests in .*\n\nOK/m);
});

it.runIf(hasPython)("passes every vector of the levels reader, writer and advisor", async () => {
  const main = join(ROOT, "packages/cli/src/main.ts");
  const args = ["--conditions=@recourse/source", main, "conformance", "run", "--json", "--", "python3", "-m"];
  const { stdout } = await run(process.execPath, [...args, "recourse_faults.door"], { env });
  const { levels } = JSON.parse(stdout) as { levels: Record<string, { claimed: boolean; passed: number }> };
  for (const level of ["reader", "writer", "advisor"]) expect(levels[level]?.passed).toBeGreaterThan(90);
  expect(levels["dialects"]?.claimed).toBe(false);
});

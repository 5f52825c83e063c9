// Fails when package-lock.json holds what is not allowed: see scripts/lock/allowed.json. The locks of example projects, of the
// website and of deploy/ are checked only for what an installation needs, since nothing of them is published. It needs no network.
import { globSync } from "node:fs";
import allowed from "./lock/allowed.json" with { type: "json" };
import { readLock } from "./lock/lock.ts";
import { installProblems, lockProblems } from "./lock/problems.ts";

const lock = readLock();
const projects = globSync(
  "{deploy,examples/*,research/{public-servers,survey}/project,site}/package-lock.json",
).flatMap((file) => installProblems(readLock(file)).map((problem) => `${file}: ${problem}`));
const problems = [...lockProblems(lock, allowed), ...projects];
console.log(
  problems.length === 0
    ? `lock ok: ${Object.keys(lock.packages).length} packages`
    : problems.map((one) => `${one}.`).join("\n"),
);
process.exitCode = problems.length === 0 ? 0 : 1;

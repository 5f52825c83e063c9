// Fails when package-lock.json holds what is not allowed: see scripts/lock/allowed.json. It needs no network.
import allowed from "./lock/allowed.json" with { type: "json" };
import { readLock } from "./lock/lock.ts";
import { lockProblems } from "./lock/problems.ts";

const lock = readLock();
const problems = lockProblems(lock, allowed);
console.log(
  problems.length === 0
    ? `lock ok: ${Object.keys(lock.packages).length} packages`
    : problems.map((one) => `${one}.`).join("\n"),
);
process.exitCode = problems.length === 0 ? 0 : 1;

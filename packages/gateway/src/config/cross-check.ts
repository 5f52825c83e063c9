import { callersChecks } from "./checks/callers.ts";
import type { Check, Finding } from "./checks/check.ts";
import { limitsChecks } from "./checks/limits.ts";
import { namesChecks } from "./checks/names.ts";
import { networkChecks } from "./checks/network.ts";
import { upstreamChecks } from "./checks/upstreams.ts";
import type { ConfigDocument } from "./document.ts";
import { type Problem, pathText } from "./problem.ts";
import type { RawConfig } from "./raw.ts";

/** What options say about each other. Each check sees the whole file. */
const CHECKS: readonly Check[] = [upstreamChecks, namesChecks, callersChecks, limitsChecks, networkChecks];

/** Compares the options of a file with each other. */
export function crossCheck(
  raw: RawConfig,
  document: ConfigDocument,
): { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] } {
  const isWritten = (...path: readonly (string | number)[]) => document.find(path) !== undefined;
  const found = CHECKS.flatMap((check) => [...check(raw, isWritten)]);
  const toProblem = ({ path, message, fix }: Finding): Problem => ({
    ...(document.find(path) ?? { line: 1, column: 1 }),
    path: pathText(path),
    message,
    fix,
  });
  return {
    problems: found.filter(({ level }) => level === "problem").map(toProblem),
    warnings: found.filter(({ level }) => level === "warning").map(toProblem),
  };
}

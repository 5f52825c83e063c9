import { prefixOf } from "../build.ts";
import type { Path } from "../problem.ts";
import { type Check, type Finding, problem } from "./check.ts";

/** Patterns of tool names that no upstream can have. */
export const namesChecks: Check = function* ({ upstreams = {}, tools = {}, keys = [], jwt, limits }) {
  const prefixes = Object.entries(upstreams).map(([name, one]) => prefixOf(name, one));
  if (prefixes.length === 0) return;
  const patterns: (readonly [Path, string])[] = [
    ...Object.keys(tools).map((pattern) => [["tools", pattern], pattern] as const),
    ...Object.keys(limits.tools ?? {}).map((pattern) => [["limits", "tools", pattern], pattern] as const),
    ...keys.flatMap((key, at) => key.tools.map((pattern, no) => [["keys", at, "tools", no], pattern] as const)),
    ...(jwt?.tools ?? []).map((pattern, no) => [["jwt", "tools", no], pattern] as const),
  ];
  for (const [path, pattern] of patterns) yield* patternFindings(path, pattern, prefixes);
};

function* patternFindings(path: Path, pattern: string, prefixes: readonly string[]): Generator<Finding> {
  const [head = ""] = pattern.split("*", 1);
  const isExact = head === pattern;
  const canMatch = prefixes.some((prefix) => head.startsWith(prefix) || (!isExact && prefix.startsWith(head)));
  if (canMatch) return;
  const known = prefixes.map((prefix) => `${prefix}*`).join(", ");
  yield problem(
    path,
    "no upstream has tools with such a name.",
    `Names begin with the prefix of their upstream: ${known}.`,
  );
}

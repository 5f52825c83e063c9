// What reports promise for each call of Recourse, and the score that the same server has with the call in place.
import { fixCalls } from "../../packages/cli/src/fixes/fix-calls.ts";
import type { FixStep, Report } from "../../packages/cli/src/report/report.ts";
import type { Surveyed } from "./probe.ts";
import { findingsOf } from "./table.ts";

/** A server as it is, with `guard` alone, and with all guards. */
interface Guarded {
  readonly name: string;
  readonly bare: Report;
  readonly guard: Report;
  readonly all: Report;
}

const NAMES = ["server", "bare", "promised", "with `guard`", "promised next", "with all guards", "promises", "left"];

/** The section of the page. Empty if no server was probed in all three forms. */
export function promisedSection(results: readonly Surveyed[]): string {
  const rows = guardedServers(results).map(promisedRow);
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [TEXT, [line(NAMES), line(NAMES.map(() => "---")), ...rows.map(line)].join("\n")].join("\n\n");
}

const TEXT = `## Promised and reached

A report lists the function calls that fix findings, with the minimum number of points that each adds. For this table, we added these
calls one after the other and probed the server after each. "Promised" is what the report on the bare server says about
\`guard(server)\`; "promised next" is what the next report says about the other calls. A promise is kept if the next score rises by at
least that many points. Without annotations a probe calls no tool, and untested checks keep the score low, so nothing is promised.`;

function guardedServers(results: readonly Surveyed[]): readonly Guarded[] {
  const reports = new Map(results.map(({ name, report }) => [name, report]));
  return results.flatMap(({ name, report: bare }) => {
    const server = name.replace(/, bare$/, "");
    const [guard, all] = [reports.get(`${server}, guard`), reports.get(`${server}, guarded`)];
    return bare === undefined || guard === undefined || all === undefined ? [] : [{ name: server, bare, guard, all }];
  });
}

function promisedRow({ name, bare, guard, all }: Guarded): readonly string[] {
  const first = promisesIn(bare).filter(({ calls }) => calls === "guard(server)");
  const next = promisesIn(guard).filter(({ calls }) => calls !== "guard(server)");
  const isKept = [
    ...first.map(({ points }) => guard.score - bare.score >= points),
    ...next.map(({ points }) => all.score - guard.score >= points),
  ].every(Boolean);
  return [
    name,
    String(bare.score),
    first.map(({ points }) => `+${points}`).join(", "),
    String(guard.score),
    next.map(({ calls, points }) => `\`${calls}\` +${points}`).join(", "),
    String(all.score),
    isKept ? "kept" : "**not kept**",
    findingsOf(all)
      .map(({ id }) => id)
      .join(", "),
  ];
}

function promisesIn({ fixes, target }: Report): readonly (FixStep & { readonly calls: string })[] {
  return fixes.flatMap((step) => {
    const calls = fixCalls(step, target.transport);
    return calls === undefined ? [] : [{ ...step, calls }];
  });
}

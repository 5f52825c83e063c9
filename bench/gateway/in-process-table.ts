import type { InProcessRun, Subject } from "./in-process.ts";
import { estimateText, medianOf, pairedRatio } from "./statistics.ts";
import { BASES, VARIANTS } from "./variants.ts";

/** The figures of a run in one process, as a table and as data. */
export function inProcessFigures({ subjects }: InProcessRun, { maxHalfWidth }: { readonly maxHalfWidth: number }) {
  const find = (id: Subject["id"], isBefore = false) =>
    subjects.find((one) => one.id === id && one.isBefore === isBefore);
  /** What the proxy costs in each round. */
  const netOf = ({ id, cpuUs }: Subject) => {
    const direct = find(BASES[VARIANTS[id].upstream].direct)?.cpuUs ?? [];
    return cpuUs.map((us, round) => us - (direct[round] as number));
  };
  const figures = subjects
    .filter(({ id }) => VARIANTS[id].proxy.kind !== "none")
    .map((subject) => {
      const { id, isBefore } = subject;
      const net = netOf(subject);
      const base = find(BASES[VARIANTS[id].upstream].piped) as Subject;
      const before = isBefore ? undefined : find(id, true);
      return {
        name: `${VARIANTS[id].name}${isBefore ? " (before)" : ""}`,
        cpuUs: medianOf(net),
        ofPiped: pairedRatio(netOf(base), net),
        ofBefore: before && pairedRatio(net, netOf(before)),
      };
    });
  const rows = figures.map(({ name, cpuUs, ofPiped, ofBefore }) => {
    const change = ofBefore === undefined ? "" : estimateText(ofBefore, { maxHalfWidth, digits: 3 });
    // The speed of a busy machine changes: these compare within one run at best.
    const cpu = cpuUs.toFixed(0);
    const share = estimateText(ofPiped, { maxHalfWidth, digits: 3 });
    return `| ${[name, cpu, share, change].join(" | ")} |`;
  });
  const head = "| variant | CPU µs per call, less no proxy | piped / this | now / before |\n| --- | --- | --- | --- |";
  return { figures, table: `${head}\n${rows.join("\n")}` };
}

import type { Round } from "./measure.ts";
import type { Measured, Subject } from "./separate.ts";
import { type Estimate, estimate, estimateText, medianOf, pairedRatio } from "./statistics.ts";
import { BASES, VARIANTS, type VariantId } from "./variants.ts";

export interface TableOptions {
  /** The widest interval of a figure: half of it, as a share of the figure. */
  readonly maxHalfWidth: number;
}

/** What is there twice: the ratio of both says what the other ratios are worth. */
const TWICE: readonly (readonly [VariantId, VariantId])[] = [
  ["piped", "piped-again"],
  ["leased", "leased-again"],
];

/** CPU and calls a second of each variant beside the piped proxy. */
export function callTable(all: readonly Measured[], options: TableOptions): string {
  const lines = all.map((one) => {
    const { id, isBefore } = one;
    const cells = [
      `${VARIANTS[id].name}${isBefore ? " (before)" : ""}`,
      medianOf(values(one, "cpuUs")).toFixed(0),
      perSecond(one),
      ofPiped(all, one, (piped) => pairedRatio(values(piped, "cpuUs"), values(one, "cpuUs")), options),
      ofPiped(all, one, (piped) => pairedRatio(values(one, "perSecond"), values(piped, "perSecond")), options),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| variant | CPU µs per call | calls/s | of the piped proxy: CPU | calls/s |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
    ...twiceLines(all, options),
  ].join("\n");
}

/** The same variants of two checkouts. The latencies are those at a fixed rate. */
export function beforeTable(all: readonly Measured[], late: readonly Measured[], options: TableOptions): string {
  const lines = all.flatMap((now) => {
    const before = find(all, now.id, true);
    if (before === undefined || now.isBefore) return [];
    const arrow = (text: (one: Measured) => string) => `${text(before)} → ${text(now)}`;
    const cells = [
      VARIANTS[now.id].name,
      arrow((one) => ofPiped(all, one, (piped) => pairedRatio(values(piped, "cpuUs"), values(one, "cpuUs")), options)),
      estimateText(pairedRatio(values(now, "cpuUs"), values(before, "cpuUs")), options),
      arrow(perSecond),
      find(late, now.id, true) === undefined ? "–" : arrow((one) => overPiped(late, one)),
    ];
    return [`| ${cells.join(" | ")} |`];
  });
  return [
    "| variant | CPU, of the piped proxy | CPU, now / before | calls/s | p50 over the piped proxy, ms |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
    ...twiceLines(all, options),
  ].join("\n");
}

/** Latencies at a fixed rate. */
export function latencyTable(all: readonly Measured[]): string {
  const lines = all.map((one) => {
    const name = `${VARIANTS[one.id].name}${one.isBefore ? " (before)" : ""}`;
    const over = one.id === "piped" ? "" : overPiped(all, one);
    return `| ${[name, msText(estimate(values(one, "p50Ms"))), over, msText(estimate(values(one, "p99Ms")))].join(" | ")} |`;
  });
  return ["| variant | p50 | p50 over the piped proxy | p99 |", "| --- | --- | --- | --- |", ...lines].join("\n");
}

/** Replicas that share the traffic, beside one. */
export function replicaTable(all: readonly Measured[], options: TableOptions): string {
  const lines = all.map((one) => {
    const alone = all.find(({ id, replicas }) => id === one.id && replicas === 1) as Measured;
    const ratio = pairedRatio(values(one, "cpuUs"), values(alone, "cpuUs"));
    const cells = [
      `${one.id} ${one.replicas}`,
      medianOf(values(one, "cpuUs")).toFixed(0),
      one === alone ? "" : estimateText(ratio, options),
      perSecond(one),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| limits, replicas | CPU µs per call | of one replica | calls/s |",
    "| --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

function values({ rounds }: Measured, what: keyof Round): readonly number[] {
  return rounds.map((one) => one[what]);
}

function find(all: readonly Measured[], id: Subject["id"], isBefore = false): Measured | undefined {
  return all.find((one) => one.id === id && (one.isBefore ?? false) === isBefore);
}

function perSecond(one: Measured): string {
  return Math.round(medianOf(values(one, "perSecond"))).toLocaleString("en");
}

/** A ratio to the piped proxy in front of the same upstream; nothing if that one was not measured. */
function ofPiped(
  all: readonly Measured[],
  one: Measured,
  ratio: (piped: Measured) => Estimate,
  options: TableOptions,
): string {
  const piped = find(all, BASES[VARIANTS[one.id].upstream].piped);
  if (piped === undefined) return "–";
  return piped === one ? "1" : estimateText(ratio(piped), options);
}

/** How much later than through the piped proxy answers come, round by round. */
function overPiped(all: readonly Measured[], one: Measured): string {
  const piped = find(all, "piped");
  if (piped === undefined) return "–";
  const base = values(piped, "p50Ms");
  return msText(estimate(values(one, "p50Ms").map((ms, at) => ms - (base[at] as number))));
}

function msText({ median, low, high }: Estimate): string {
  return `${median.toFixed(2)} (${low.toFixed(2)} … ${high.toFixed(2)})`;
}

function twiceLines(all: readonly Measured[], options: TableOptions): readonly string[] {
  return TWICE.flatMap(([id, again]) => {
    const [one, other] = [find(all, id), find(all, again)];
    if (one === undefined || other === undefined) return [];
    const ratio = pairedRatio(values(one, "cpuUs"), values(other, "cpuUs"));
    return [`The same twice, CPU: ${VARIANTS[id].name} ${estimateText(ratio, options)}`];
  });
}

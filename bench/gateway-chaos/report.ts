import { type Chain, type Check, chainsOf, checksOf } from "./checks.ts";
import { DEADLINE_MS } from "./deadlines.ts";
import { type IncidentReport, incidentReport } from "./incidents.ts";
import { DATABASE_PASSWORD, UPSTREAM_TOKENS } from "./planted.ts";
import type { Sample } from "./records.ts";
import type { RunResult } from "./run.ts";

/** What a run showed. */
export interface Report {
  readonly seed: number;
  readonly seconds: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Calls of the kit by how they ended, the most frequent first. */
  readonly ends: Readonly<Record<string, number>>;
  /** Keyed calls by how they ended for good. */
  readonly keyed: Readonly<Record<string, number>>;
  readonly incidents: Omit<IncidentReport, "check"> | undefined;
  readonly samples: RunResult["samples"];
  readonly checks: readonly Check[];
}

/** A replica may end with so much more than it began with. */
const MAX_GROWTH: Sample = { heapMib: 16, rssMib: 120, handles: 30 };

/** Counts and judges what a run left behind. */
export function reportOf(
  result: RunResult,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Report {
  const { calls, effects, happened, ends, incidents, stored, samples, crashes, logs, startedMs, settledMs } = result;
  const chains = chainsOf(calls, effects);
  const found = stored === undefined ? undefined : incidentReport(incidents, { stored, happened, logs });
  const sum = (of: (end: RunResult["ends"][number]) => number) => ends.reduce((total, end) => total + of(end), 0);
  const leaks = ends.flatMap((end) => Object.keys(end.leaks));
  const times = calls.map(({ startMs, endMs }) => endMs - startMs).toSorted((a, b) => a - b);
  const growing = samples.filter(({ before, after }) =>
    (Object.keys(MAX_GROWTH) as (keyof Sample)[]).some((name) => after[name] - before[name] > MAX_GROWTH[name]),
  );
  const logged = [...Object.values(UPSTREAM_TOKENS), DATABASE_PASSWORD].filter((secret) =>
    logs.some((log) => log.includes(secret)),
  );
  const checks: readonly Check[] = [
    ...checksOf(chains, DEADLINE_MS),
    ...(found === undefined ? [] : [found.check]),
    plain(
      "planted text in an answer",
      sum((end) => end.answers),
      leaks,
    ),
    plain(
      "a credential in a log",
      samples.length,
      logged.map(() => "a credential"),
    ),
    plain(
      "a replica whose memory or handles grow",
      samples.length,
      growing.map(({ replica }) => `replica ${replica}`),
    ),
    plain("a process that ended by itself", samples.length, crashes),
  ];
  return {
    seed,
    seconds,
    counts: {
      "s to start everything": Math.round(startedMs / 1_000),
      "s to settle what was open": Math.round(settledMs / 1_000),
      intentions: chains.length,
      "calls of the kit": calls.length,
      requests: calls.reduce((total, { requests }) => total + requests, 0),
      effects: effects.length,
      ...countBy(happened, ({ what, target }) => `${what}s of ${target.startsWith("replica") ? "replicas" : target}`),
      "replies lost before the caller": sum((end) => end.lostReplies),
      "answers read": sum((end) => end.answers),
      "median ms of a call": times[Math.floor(times.length / 2)] ?? 0,
      "longest ms of a call": times.at(-1) ?? 0,
      "calls in a process that stalled for over a second": calls.filter(({ stalledMs }) => stalledMs > 1_000).length,
    },
    ends: countBy(calls, ({ ok, reason, effect }) => (ok ? "success" : `${reason}, effect ${effect}`)),
    keyed: countBy(
      chains.filter(({ isKeyed }) => isKeyed),
      (chain) => `${chain.upstream}: ${lastOf(chain)}, ${chain.effects.length} effects`,
    ),
    incidents: found === undefined ? undefined : { given: found.given, found: found.found, lost: found.lost },
    samples,
    checks,
  };
}

/** The report as text. */
export function textOf(report: Report): string {
  const { seed, seconds, counts, ends, keyed, incidents, samples, checks } = report;
  const list = (of: Readonly<Record<string, number>>) =>
    Object.entries(of).map(([name, count]) => `  ${count} ${name}`);
  return [
    `chaos of ${seconds} s, seed ${seed}`,
    ...list(counts),
    "how calls ended",
    ...list(ends),
    "how keyed calls ended for good",
    ...list(keyed),
    incidents === undefined
      ? "incidents are not kept"
      : `incidents: ${incidents.given} given to callers, ${incidents.found} found, ${incidents.lost} lost within the bound`,
    ...samples.map(({ replica, before, after }) => `replica ${replica}: ${sizeOf(before)} → ${sizeOf(after)}`),
    "checks",
    ...checks.flatMap(({ name, looked, bad, cases }) => [
      `  ${bad === 0 ? "ok  " : "FAIL"} ${bad} of ${looked}: ${name}`,
      ...cases.map((one) => `         ${one}`),
    ]),
  ].join("\n");
}

function sizeOf({ heapMib, rssMib, handles }: Sample): string {
  return `${heapMib.toFixed(1)} MiB heap, ${rssMib.toFixed(0)} MiB RSS, ${handles} handles`;
}

function lastOf({ calls }: Chain): string {
  const last = calls.at(-1);
  return calls.some(({ ok }) => ok) ? "success" : (last?.reason ?? "");
}

function plain(name: string, looked: number, cases: readonly string[]): Check {
  return { name, looked, bad: cases.length, cases: cases.slice(0, 5) };
}

function countBy<T>(of: readonly T[], nameOf: (one: T) => string): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const one of of) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
}

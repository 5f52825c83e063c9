// The figures of the study, and the shapes of thrown errors for fast tests.
import { toFault } from "@recourse/core/reasons";
import { rebuild } from "../../packages/core/test/thrown/rebuild.ts";

/** One call of a library that failed. */
export interface CalledCase {
  readonly library: string;
  readonly version: string;
  readonly group: "http" | "other" | "held out";
  readonly situation: string;
  readonly tool: "read" | "write";
  /** The verdict about the bare server. */
  readonly bare: Verdict;
  /** The verdict about the guarded one. */
  readonly score: Verdict;
  readonly fault?: { readonly kind: string; readonly reason: string; readonly retry?: { readonly afterMs?: number } };
  /** How many keys of the request were in the log. */
  readonly keysInLog: number;
  readonly shape?: unknown;
}

/** `leak`: the model read a planted secret or an address. */
type Verdict = "right" | "half" | "wrong" | "leak";

const VERDICTS = ["right", "half", "wrong", "leak"] as const satisfies readonly Verdict[];

/** A table for all groups, and the libraries that are not read right. */
export function toFigures(called: readonly CalledCase[]): string {
  const inSample = called.filter(({ group }) => group !== "held out");
  const heldOut = called.filter(({ group }) => group === "held out");
  // What a handler throws itself is the author's word, and no library's.
  const own = inSample.filter(({ library }) => library.includes("throw new Error("));
  const ofLibraries = inSample.filter((one) => !own.includes(one));
  return [
    "| cases | libraries | calls | right | half | wrong | leak |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    row("bare server, all in-sample", inSample, "bare"),
    row("guarded, all in-sample", inSample, "score"),
    row("guarded, in-sample, thrown by libraries", ofLibraries, "score"),
    row("guarded, in-sample, `throw new Error` with a status in the sentence", own, "score"),
    row("guarded, held out", heldOut, "score"),
    "",
    `Calls with a key of the request in the log: ${called.filter(({ keysInLog }) => keysInLog > 0).length}`,
    "",
    "| library | version | right | half | wrong |",
    "| --- | --- | --- | --- | --- |",
    ...[...new Set(called.map(({ library }) => library))].map((library) => libraryRow(called, library)),
  ].join("\n");
}

function row(name: string, cases: readonly CalledCase[], verdict: "bare" | "score"): string {
  const libraries = new Set(cases.map(({ library }) => library)).size;
  const counts = VERDICTS.map((one) => {
    const count = cases.filter((called) => called[verdict] === one).length;
    return `${count} (${((100 * count) / Math.max(1, cases.length)).toFixed(1)} %)`;
  });
  return `| ${name} | ${libraries} | ${cases.length} | ${counts.join(" | ")} |`;
}

function libraryRow(called: readonly CalledCase[], library: string): string {
  const own = called.filter((one) => one.library === library);
  const count = (verdict: Verdict) => own.filter(({ score }) => score === verdict).length;
  return `| ${library} | ${own[0]?.version} | ${count("right")} | ${count("half")} | ${count("wrong")} |`;
}

/** Situations of services that stand for the others. */
const SHOWN = /^(?:s429ra|s401|s404|s409|s422|s503ra|refused|timeout)$/;

/** The shapes of errors that are read right, each once, with what they mean. */
export function fixturesOf(called: readonly CalledCase[]): readonly object[] {
  const seen = new Set<string>();
  return called.flatMap(({ library, group, situation, tool, score, fault, shape }) => {
    const isWanted = tool === "read" && score === "right" && group !== "held out";
    const text = JSON.stringify(shape);
    // A rebuilt response has no address, and files need the arguments of the call.
    const isWhole = !text.startsWith('{"class":"Response"') && !situation.includes("caller");
    if (!isWanted || !isWhole || fault === undefined || seen.has(text) || text.length > MAX_SHAPE) return [];
    if (group === "http" && !SHOWN.test(situation)) return [];
    const { kind, reason, retry } = fault;
    // Some shapes hold too little: what a library keeps deeper, or behind getters.
    if (toFault(rebuild(shape)).reason !== reason || toFault(rebuild(shape)).retry?.afterMs !== retry?.afterMs)
      return [];
    seen.add(text);
    return [{ library, situation, kind, reason, ...(retry?.afterMs && { afterMs: retry.afterMs }), shape }];
  });
}

const MAX_SHAPE = 1_200;

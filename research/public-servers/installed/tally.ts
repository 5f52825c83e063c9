// Counts what a model reads: whose words arrive, which secrets do, and what the text says to do.
import type { Writer } from "./case.ts";
import type { ReadMode } from "./modes.ts";
import { arrives, type Outcome } from "./outcomes.ts";

/** A count, with the number of all that were counted. */
export type Share = readonly [count: number, all: number];

/** The counts of some failures in one mode. */
export interface Tally {
  /** Sentences of the authors of the server that arrive. */
  readonly authors: Share;
  /** Messages of the service behind it. */
  readonly services: Share;
  /** Messages of Node and of libraries. */
  readonly libraries: Share;
  /** Secrets shown that the caller does not have. */
  readonly secrets: Share;
  /** Texts that lack words that the bare text has and a caller needs. */
  readonly less: Share;
  /** Texts that say what to do. */
  readonly moves: Share;
  /** Texts that only say not to repeat the call. */
  readonly stops: Share;
  /** Of these, where another call, or the same one later, would succeed. */
  readonly wrongStops: Share;
}

/** Counts failures in one mode. */
export function tallyOf(outcomes: readonly Outcome[], mode: ReadMode): Tally {
  const all = outcomes.length;
  const steps = outcomes.map((one) => ({ one, step: stepOf(one.texts[mode]) }));
  const stops = steps.filter(({ step }) => step === "stop");
  const planted = outcomes.filter(({ secret }) => secret === "operator");
  return {
    authors: arriving(outcomes, "author", mode),
    services: arriving(outcomes, "service", mode),
    libraries: arriving(outcomes, "library", mode),
    secrets: [planted.filter(({ leaked }) => leaked.includes(mode)).length, planted.length],
    less: [outcomes.filter((one) => helpsLess(one, mode)).length, all],
    moves: [steps.filter(({ step }) => step === "move").length, all],
    stops: [stops.length, all],
    wrongStops: [stops.filter(({ one }) => one.next === "correct" || one.next === "later").length, stops.length],
  };
}

function arriving(outcomes: readonly Outcome[], by: Writer, mode: ReadMode): Share {
  const passages = outcomes.flatMap(({ passages, texts, secret }) =>
    secret === undefined ? passages.filter((one) => one.by === by).map((one) => arrives(one, texts[mode])) : [],
  );
  return [passages.filter(Boolean).length, passages.length];
}

/** Tells whether a text lacks words that the bare text has and a caller needs. */
export function helpsLess({ passages, texts }: Outcome, mode: ReadMode): boolean {
  return passages.some((one) => arrives(one, texts.bare) && !arrives(one, texts[mode]));
}

/** What a text says about what to do: something, only not to repeat the call, or nothing. */
export type Step = "move" | "stop" | "none";

const STOP = /[^.]*\bdo not repeat (?:this call|it|the call)\b[^.]*\.?/gi;
const INCIDENT = /If you report this, give incident \w{26}\./g;
const VERBS =
  "Ask|Call|Check|Choose|Correct|Did you mean|Do first|Double check|Look|Make sure|Pass|Please|Project an|Provide|Repeat|Report|" +
  "Resolve|Retry|Set|Specify|Take|Try|Use|Wait";
const MOVE = new RegExp(String.raw`(?:^|[.?!:;)”"'*—-]\s*|\n\s*|, then |, or )(?:${VERBS})\b|\b[Pp]lease \w+`, "u");

/** Reads what a text says about what to do, be it a sentence of ours or of the authors. */
export function stepOf(text: string): Step {
  const own = text.replaceAll(INCIDENT, "");
  if (MOVE.test(own.replaceAll(STOP, ""))) return "move";
  return own.search(STOP) >= 0 ? "stop" : "none";
}

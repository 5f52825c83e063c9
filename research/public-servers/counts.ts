import type { FailureCase } from "../../packages/faults/test/peers/public/case.ts";
import { brokenRules } from "../model-text/rubric.ts";
import { MODES, type Mode, type Reading } from "./run.ts";

/** A failure with what a model reads of it. */
export interface Observation {
  readonly failure: FailureCase;
  readonly reading: Reading;
}

/** A sentence or message of the bare server, and the modes in which it arrives. */
export interface Passage {
  readonly isAuthors: boolean;
  readonly text: string;
  readonly keptIn: ReadonlySet<Mode>;
}

/** White space differs between a text and its quotation. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the planted control character counts as space.
const oneLine = (text: string): string => text.replaceAll(/[\s\u0000]+/g, " ").trim();

const modes = Object.keys(MODES) as Mode[];

/**
 * What the bare server says, divided by who wrote it: the message, and each sentence that the authors add to it. Nothing for
 * the messages of the SDK, which the library always replaces, and for texts with a secret, which must not arrive.
 */
export function passagesOf({ failure, reading }: Observation): readonly Passage[] {
  const { by, adds = [], secret } = failure;
  if (by === "sdk" || secret !== undefined) return [];
  const added = adds.map((text) => ({ isAuthors: true, text }));
  const start = Math.min(...adds.map((text) => reading.texts.bare.indexOf(text)), reading.texts.bare.length);
  const message = reading.texts.bare.slice(0, start).replace(/\.? ?Suggestions: $/, "");
  return [{ isAuthors: by === "author", text: message }, ...added].map((one) => ({
    ...one,
    keptIn: new Set(modes.filter((mode) => isKept(one.text, reading.texts[mode]))),
  }));
}

/** Tells whether a text arrives, whole or shortened at its end. */
export function isKept(text: string, shown: string): boolean {
  const [whole, answer] = [oneLine(text), oneLine(shown)];
  const [, shortened] = /“([^”]{40,})…”/u.exec(answer) ?? [];
  return answer.includes(whole) || (shortened !== undefined && whole.startsWith(shortened));
}

/** The counts of one server in one mode, each with the number of all. */
export interface Counts {
  readonly authors: readonly [kept: number, all: number];
  readonly others: readonly [kept: number, all: number];
  readonly leaks: readonly [shown: number, all: number];
  readonly repeated: readonly [shown: number, all: number];
  /** Texts that say what to do, other than not to repeat the call. */
  readonly moves: readonly [given: number, all: number];
  /** Texts that say only not to repeat the call. */
  readonly stops: readonly [given: number, all: number];
}

/** Counts what arrives in one mode. */
export function countsOf(observations: readonly Observation[], mode: Mode): Counts {
  const passages = observations.flatMap(passagesOf);
  const kept = (of: readonly Passage[]) => [of.filter(({ keptIn }) => keptIn.has(mode)).length, of.length] as const;
  const leaked = (of: readonly Observation[]) =>
    [of.filter(({ reading }) => reading.leaked.includes(mode)).length, of.length] as const;
  const saying = (step: Step) =>
    [observations.filter(({ reading }) => stepOf(reading.texts[mode]) === step).length, observations.length] as const;
  const secrets = observations.filter(({ failure }) => failure.secret !== undefined);
  return {
    authors: kept(passages.filter(({ isAuthors }) => isAuthors)),
    others: kept(passages.filter(({ isAuthors }) => !isAuthors)),
    leaks: leaked(secrets.filter(({ failure }) => failure.sentByCaller !== true)),
    repeated: leaked(secrets.filter(({ failure }) => failure.sentByCaller === true)),
    moves: saying("move"),
    stops: saying("stop"),
  };
}

/** What a text says about what to do: something, only not to repeat the call, or nothing. */
export type Step = "move" | "stop" | "none";

const STOP = /\bdo not repeat (?:this call|it)\b/i;

/** Reads what a text says about what to do. */
export function stepOf(text: string): Step {
  if (brokenRules(text).includes("move")) return "none";
  return STOP.test(text) ? "stop" : "move";
}

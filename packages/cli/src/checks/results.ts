import { INVISIBLE } from "@recourse/faults/internal-do-not-use";
import type { Exchange } from "../recording/recording.ts";
import type { CheckResult } from "./check.ts";

/** A finding names so many exchanges at most. */
const MAX_EVIDENCE = 10;
/** So much of a text of the server stands in a message. */
const MAX_SHOWN = 80;

/** Nothing is wrong. */
export function pass(): CheckResult {
  return { state: "pass" };
}

/** There was nothing to look at. */
export function skipped(because: string): CheckResult {
  return { state: "skipped", because };
}

/** Something is wrong. The first exchange shows it best. */
export function fail(message: string, evidence: readonly [Exchange, ...Exchange[]]): CheckResult {
  const [first, ...more] = evidence.slice(0, MAX_EVIDENCE).map(({ id }) => id);
  return { state: "fail", message, evidence: [first ?? "", ...more] };
}

/** Something that one exchange shows. */
interface Shown {
  readonly exchange: Exchange;
}

function exchangeIn(one: Exchange | Shown): Exchange {
  return "exchange" in one ? one.exchange : one;
}

/** What a check does with each thing that it looks at. */
export interface Judgement<T> {
  /** Why the check is skipped if there is nothing to look at. */
  readonly nothing: string;
  /** One sentence if this one is wrong. */
  readonly wrong: (one: T) => string | undefined;
}

/** Fails with the sentence of the first that is wrong; all that are wrong are evidence. */
export function judge<T extends Exchange | Shown>(looked: readonly T[], { nothing, wrong }: Judgement<T>): CheckResult {
  if (looked.length === 0) return skipped(nothing);
  const found = looked.flatMap((one) => {
    const message = wrong(one);
    return message === undefined ? [] : [{ message, exchange: exchangeIn(one) }];
  });
  const [first, ...more] = found;
  return first === undefined ? pass() : fail(first.message, [first.exchange, ...more.map(({ exchange }) => exchange)]);
}

/**
 * A text of the server for a message: in quotation marks, on one line, short, and with hidden characters made visible. Its own
 * quotation marks become single ones: nested, nobody sees where the text ends.
 */
export function quote(text: string, max = MAX_SHOWN): string {
  return `"${visible(text, max).replaceAll('"', "'")}"`;
}

/** A name of the server for a message, such as the name of a tool. */
export function visible(text: string, max = MAX_SHOWN): string {
  const line = text
    .slice(0, max * 4)
    .toWellFormed()
    .replace(/\s+/g, " ")
    .trim();
  const shown = line.replace(CONTROL, escaped).replace(INVISIBLE, escaped);
  return shown.length <= max && text.length <= max * 4 ? shown : `${[...shown].slice(0, max - 1).join("")}…`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: making them visible is the purpose.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

function escaped(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

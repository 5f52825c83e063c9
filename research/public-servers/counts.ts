import type { FailureCase } from "../../packages/core/test/peers/public/cases.ts";
import { MODE_NAMES, type Mode, type Reading } from "./run.ts";

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
    keptIn: new Set(MODE_NAMES.filter((mode) => isKept(one.text, reading.texts[mode]))),
  }));
}

/** Tells whether a text arrives, whole or shortened at its end. */
export function isKept(text: string, shown: string): boolean {
  const [whole, answer] = [oneLine(text), oneLine(shown)];
  const [, shortened] = /“([^”]{40,})…”/u.exec(answer) ?? [];
  return answer.includes(whole) || (shortened !== undefined && whole.startsWith(shortened));
}

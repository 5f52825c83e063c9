// What a model reads of each failure, of all servers of this study in one form.
import type { FailureCase } from "../../../packages/core/test/peers/public/cases.ts";
import { passagesOf } from "../counts.ts";
import type { Reading } from "../run.ts";
import type { InstalledCase, Need, Next, Writer } from "./case.ts";
import { CUT, READ_MODES, type ReadMode } from "./modes.ts";
import type { InstalledReading } from "./run.ts";

/** Words that a caller needs, and who wrote them. */
export interface Passage {
  readonly by: Writer;
  readonly words: readonly Need[];
}

/** A failure with what a model reads of it. */
export interface Outcome {
  readonly name: string;
  readonly passages: readonly Passage[];
  readonly texts: Readonly<Record<ReadMode, string>>;
  /** Whose secret is planted in the text. */
  readonly secret: "operator" | "caller" | undefined;
  readonly leaked: readonly ReadMode[];
  readonly next: Next | undefined;
}

/** The outcome of a failure of an installed server. */
export function outcomeOf(failure: InstalledCase, { texts, leaked }: InstalledReading): Outcome {
  const { name, by, needs, secret, next } = failure;
  return {
    name,
    passages: needs.length === 0 ? [] : [{ by, words: needs }],
    texts,
    secret: secret === undefined ? undefined : "operator",
    leaked,
    next,
  };
}

const WRITERS = {
  author: "author",
  service: "service",
  runtime: "library",
  sdk: "sdk",
} as const satisfies Record<FailureCase["by"], Writer>;

/** The outcome of a failure of one of the servers that are part of the tests: each of its sentences is needed whole. */
export function testedOutcomeOf(failure: FailureCase, reading: Reading): Outcome {
  const passages = passagesOf({ failure, reading }).map(
    ({ isAuthors, text }): Passage => ({ by: isAuthors ? "author" : WRITERS[failure.by], words: [text] }),
  );
  const { bare, public: open, quote } = reading.texts;
  const theirs = failure.sentByCaller === true ? "caller" : "operator";
  return {
    name: failure.name,
    passages,
    texts: { bare, public: open, quote },
    secret: failure.secret === undefined ? undefined : theirs,
    leaked: READ_MODES.filter((mode) => reading.leaked.includes(mode)),
    next: undefined,
  };
}

/** Tells whether every word of a passage arrives, whole, shortened at its end, or with parts cut out. */
export function arrives({ words }: Passage, shown: string): boolean {
  const answer = oneLine(shown);
  return words.every((need) => sayings(need).some((word) => wordArrives(oneLine(word), answer)));
}

/** Sentences of ours that say what a bare status or a short message says. */
const SAME_SAYINGS: Readonly<Record<string, readonly string[]>> = {
  400: ["The arguments are wrong", "The request is malformed"],
  401: ["redentials are required", "redentials were not accepted", "redentials are not valid"],
  403: ["This call is not allowed", "Access is denied"],
  404: ["was not found", "Not found"],
  409: ["conflicts with the current state"],
  422: ["The arguments are wrong", "do not go together"],
  429: ["rate limit", "Too many calls", "too busy"],
  500: ["service that this call needs"],
  502: ["service that this call needs"],
  503: ["service that this call needs"],
  "fetch failed": ["service that this call needs"],
};

/** Of an error of the file system, the sentence without the name says as much: the caller knows which file it named. */
const MISSING_FILE = /^ENOENT: /;

function sayings(need: Need): readonly string[] {
  if (typeof need !== "string") return need;
  return [need, ...(SAME_SAYINGS[MISSING_FILE.test(need) ? "404" : need] ?? [])];
}

/** White space and the escapes of JSON differ between a text and its quotation. */
const oneLine = (text: string): string =>
  text
    .replaceAll("\\n", " ")
    .replaceAll(/\\(?=["'])/g, "")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the planted control character counts as space.
    .replaceAll(/[\s\u0000]+/g, " ")
    .trim();

const SHORTENED = /“([^”]{40,})…”/u;

function wordArrives(word: string, shown: string): boolean {
  const [, shortened] = SHORTENED.exec(shown) ?? [];
  return shown.includes(word) || (shortened !== undefined && word.startsWith(shortened)) || arrivesCut(word, shown);
}

/** At least half of the characters are there, in their order, around what was cut out. */
function arrivesCut(word: string, shown: string): boolean {
  const pieces = shown.split(CUT);
  const [first = "", ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return false;
  const start = longest(word.length, (length) => first.endsWith(word.slice(0, length)));
  const end = longest(word.length - start, (length) => last.startsWith(word.slice(word.length - length)));
  let at = start;
  for (const piece of others) {
    const found = word.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const inside = others.reduce((sum, piece) => sum + piece.length, 0);
  return start > 0 && (start + end + inside) * 2 >= word.length;
}

function longest(limit: number, holds: (length: number) => boolean): number {
  for (let length = limit; length > 0; length -= 1) if (holds(length)) return length;
  return 0;
}

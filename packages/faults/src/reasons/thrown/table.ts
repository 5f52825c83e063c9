// The table of thrown errors: what the errors of the libraries people use mean for a call.

import { ACCIDENT_ROWS } from "./accidents.ts";
import { DATABASE_ROWS } from "./databases.ts";
import {
  applyRow,
  type ErrorMeaning,
  libraryChain,
  mean,
  openError,
  type ReadError,
  type ThrownRow,
  WEIGHTS,
} from "./meaning.ts";
import { REPLY_ROWS } from "./replies.ts";
import { sdkReason } from "./sdk-errors.ts";

/** Every row by its name. The first row that knows an error decides. */
const THROWN_ROWS = {
  sdk: { weight: "code", read: ({ error }) => mean(sdkReason(error)) },
  ...REPLY_ROWS,
  ...DATABASE_ROWS,
  ...ACCIDENT_ROWS,
} as const satisfies Readonly<Record<string, ThrownRow>>;

const ALL_ROWS: readonly ThrownRow[] = [
  ...Object.values<ThrownRow>(THROWN_ROWS).filter(({ weight }) => weight !== "guess"),
  ...Object.values<ThrownRow>(THROWN_ROWS).filter(({ weight }) => weight === "guess"),
];

/** What the table says about an error, and how much the row knows. */
interface RowFinding {
  readonly meaning: ErrorMeaning;
  readonly weight: number;
}

/** What is known about the call in which an error was thrown. */
export type ThrownFacts = Pick<ReadError, "callerTexts" | "isAborted" | "ownPackage">;

const NO_FACTS: ThrownFacts = { callerTexts: [], isAborted: false, ownPackage: undefined };

/** What the table says about one error; undefined if no row knows it. */
export function readFinding(error: unknown, facts: ThrownFacts = NO_FACTS): RowFinding | undefined {
  if ((typeof error !== "object" && typeof error !== "function") || error === null) return undefined;
  const read = openError(error, facts);
  for (const row of ALL_ROWS) {
    const meaning = applyRow(row, read);
    if (meaning !== undefined) return { meaning, weight: WEIGHTS[row.weight] };
  }
  return undefined;
}

/**
 * What a thrown value means, by the error in its chain that says most. Of errors that say as much, the innermost counts: the
 * others only wrap it.
 */
export function readMeaning(thrown: unknown, facts: ThrownFacts = NO_FACTS): ThrownMeaning | undefined {
  const findings = libraryChain(thrown).flatMap((error) => readFinding(error, facts) ?? []);
  let best: RowFinding | undefined;
  for (const found of findings) if (found.weight >= (best?.weight ?? 0)) best = found;
  if (best === undefined) return undefined;
  const attempts = findings.filter(({ weight }) => weight > WEIGHTS.guess || findings.length === 1);
  return {
    meaning: best.meaning,
    isGuess: best.weight === WEIGHTS.guess,
    didNothing: attempts.length > 0 && attempts.every(({ meaning }) => provesNothing(meaning)),
  };
}

/** What a thrown value means, and whether it proves that no request was carried out. */
interface ThrownMeaning {
  readonly meaning: ErrorMeaning;
  /** Only a class or a status says so. */
  readonly isGuess: boolean;
  readonly didNothing: boolean;
}

/** After these, a request may have been carried out all the same. */
const UNPROVEN_STATUSES = [408, 409];

/** Whether an error proves that its own request was not carried out. Others in the chain may be about earlier attempts. */
function provesNothing(meaning: ErrorMeaning): boolean {
  if ("accident" in meaning) return meaning.accident.unsent === true || meaning.accident.reason.kind === "rate_limited";
  const { status } = meaning.reply;
  return status >= 400 && status < 500 && !UNPROVEN_STATUSES.includes(status);
}

/**
 * Whether an error comes from a library, so that its text was not written for a caller. Of errors of the SDK, the code decides
 * that.
 */
export function isKnownAccident(error: unknown): boolean {
  const found = sdkReason(error) === undefined ? readFinding(error) : undefined;
  return found !== undefined && found.weight > WEIGHTS.guess;
}

import { isInstance, peek, peekInteger, peekList, peekString, readClassNames } from "../../errors/peek.ts";
import type { Issue } from "../../fault/fault.ts";
import type { TableReason } from "../types.ts";

/** A reply of another service, as far as the error that a library threw about it still has it. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Only a status is known, and the author may have put it there too. @default false */
  readonly isGuess?: boolean;
  /** A wait that the library gives beside the reply, in ms. @default none */
  readonly afterMs?: number | undefined;
}

export interface Accident {
  readonly reason: TableReason;
  /** It proves that no request was sent. @default false */
  readonly unsent?: boolean;
  /** How long to wait, in ms. @default none */
  readonly afterMs?: number | undefined;
  /** What is wrong with the arguments. @default none */
  readonly issues?: readonly Issue[];
  /** Its text says nothing more than its kind, so nothing is lost if it is hidden. @default false */
  readonly isSilent?: boolean;
}

export type ErrorMeaning = { readonly reply: Reply } | { readonly accident: Accident };

/** How much a row knows. Of the errors of a chain, those with the most count, and of them the innermost. */
export const WEIGHTS = { guess: 0, connection: 1, code: 2, reply: 3 } as const;

/** What rows read of an error. Everything is read once. */
export interface ReadError {
  readonly error: unknown;
  /** Its own name, the name of its class, and those of the classes that it extends. */
  readonly names: readonly string[];
  readonly code: unknown;
  readonly callerTexts: readonly string[];
  /** The caller asked to stop. */
  readonly isAborted: boolean;
  /** The package of the code whose failures are read, the empty text for code in none; undefined if that is not known. */
  readonly ownPackage: string | undefined;
}

export interface ThrownRow {
  readonly weight: keyof typeof WEIGHTS;
  /** One of these is the name of the error, of its class, or of a class that it extends. @default any */
  readonly names?: readonly string[] | RegExp;
  /** A member that it has. @default any */
  readonly member?: PropertyKey;
  readonly read: (error: ReadError) => ErrorMeaning | undefined;
}

/** Opens a thrown value for the rows. It runs no code of the value. */
export function openError(
  error: unknown,
  facts: Pick<ReadError, "callerTexts" | "isAborted" | "ownPackage">,
): ReadError {
  const name = peekString(error, "name");
  const classes = readClassNames(error);
  return { ...facts, error, names: name === undefined ? classes : [name, ...classes], code: peek(error, "code") };
}

/** What a row says about an error; undefined if the row is not about it. */
export function applyRow({ names, member, read }: ThrownRow, error: ReadError): ErrorMeaning | undefined {
  if (member !== undefined && isMissing(peek(error.error, member))) return undefined;
  if (names !== undefined && !hasName(error, names)) return undefined;
  return read(error);
}

function hasName(error: ReadError, names: readonly string[] | RegExp): boolean {
  return error.names.some((name) => (names instanceof RegExp ? names.test(name) : names.includes(name)));
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** The meaning of a reason; undefined if there is none. */
export function mean(reason: TableReason | undefined, more: Omit<Accident, "reason"> = {}): ErrorMeaning | undefined {
  return reason === undefined ? undefined : { accident: { reason, ...more } };
}

/** A member in seconds, as milliseconds. */
export function secondsAt(error: unknown, member: string): number | undefined {
  const value = peek(error, member);
  return typeof value === "number" && value >= 0 && value <= MAX_SECONDS ? Math.ceil(value * 1_000) : undefined;
}

const MAX_SECONDS = 1_000_000_000;

export function statusAt(error: unknown, ...members: readonly string[]): number | undefined {
  const found = members.map((member) => peekInteger(error, member)).find((status) => status !== undefined);
  return found !== undefined && found >= 400 && found <= 599 ? found : undefined;
}

export function isObjectValue(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

// The errors that a thrown value holds.

const MAX_CHAIN = 20;

/** The members in which libraries keep the error that they wrap. */
const INSIDE =
  /* @__PURE__ */ "cause original originalError parent driverError raw detail error exception reason".split(" ");
const ERROR_LISTS = ["errors", "rejectedErrors", "servers"] as const;

export function errorChain(thrown: unknown): unknown[] {
  return walkErrors(thrown, (error) => [peek(error, "cause"), ...peekList(error, "errors", MAX_CHAIN)]);
}

export function libraryChain(thrown: unknown): unknown[] {
  return walkErrors(thrown, (error) => [
    ...INSIDE.map((member) => peek(error, member)).filter((value) => looksLikeError(value)),
    ...ERROR_LISTS.flatMap((member) => peekList(error, member, MAX_CHAIN)).filter((value) => looksLikeError(value)),
  ]);
}

function walkErrors(thrown: unknown, inside: (error: unknown) => readonly unknown[]): unknown[] {
  const chain: unknown[] = [thrown];
  for (let at = 0; at < chain.length && chain.length < MAX_CHAIN; at++) {
    for (const next of inside(chain[at])) if (next !== undefined && !chain.includes(next)) chain.push(next);
  }
  return chain.slice(0, MAX_CHAIN);
}

/** Members such as `error` and `raw` also hold parts of replies: only errors are read. */
function looksLikeError(value: unknown): boolean {
  return isInstance(value, Error) || peek(value, "isException") === true;
}

// The table of thrown errors: what the errors of the libraries people use mean for a call.

import { peek, peekInteger, peekString } from "../../errors/peek.ts";
import { internal, misconfigured, not_found, validation_failed } from "../library/core.ts";
import type { TableReason } from "../types.ts";
import { ACCIDENT_ROWS } from "./accidents.ts";
import { reasonOfBeginning, reasonOfCode } from "./codes.ts";
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

// Errors of databases, by their codes. What a caller reads never names a table or a column.

const SQLSTATE_CODE = /^[0-9A-Z]{5}$/;

/** Drivers of PostgreSQL have a severity beside the SQLSTATE_CODE; PostgREST has details and a hint. */
function isPostgres({ error }: ReadError): boolean {
  return (
    peekString(error, "severity") !== undefined ||
    (peek(error, "details") !== undefined && peek(error, "hint") !== undefined)
  );
}

/** The name of a code of SQLite: libsql keeps the longer one beside the code. */
function sqliteName({ error, code }: ReadError): string | undefined {
  return [peekString(error, "extendedCode"), code].find((name) => typeof name === "string" && /^SQLITE_/.test(name)) as
    | string
    | undefined;
}

/** What a code means. A database that refuses access has not run anything. */
function meanCode(reason: TableReason | undefined) {
  const known = reason ?? internal;
  return mean(known, { unsent: known === misconfigured });
}

/** Rows of databases. The first that knows an error counts. */
const DATABASE_ROWS = {
  postgres: {
    weight: "code",
    read: (read) => {
      const { code } = read;
      if (typeof code !== "string" || !SQLSTATE_CODE.test(code) || !isPostgres(read)) return undefined;
      const reason = reasonOfCode("sqlstate", code) ?? reasonOfCode("sqlstateClass", code.slice(0, 2));
      // Any other code means a wrong statement, which is a bug of the server.
      return meanCode(reason);
    },
  },
  postgrest: {
    weight: "code",
    read: ({ code }) =>
      typeof code === "string" && code.startsWith("PGRST") ? meanCode(reasonOfBeginning("postgrest", code)) : undefined,
  },
  mysql: {
    weight: "code",
    member: "sqlState",
    read: ({ error }) => meanCode(reasonOfCode("mysql", peekInteger(error, "errno"))),
  },
  sqlite: {
    weight: "code",
    read: (read) => {
      const name = sqliteName(read);
      return name === undefined ? undefined : meanCode(reasonOfBeginning("sqlite", name));
    },
  },
  nodeSqlite: {
    weight: "code",
    member: "errcode",
    read: ({ error, code }) => {
      const number = peekInteger(error, "errcode");
      if (code !== "ERR_SQLITE_ERROR" || number === undefined) return undefined;
      return meanCode(reasonOfCode("sqliteNumber", number) ?? reasonOfCode("sqliteNumber", number % 256));
    },
  },
  prisma: {
    weight: "code",
    member: "clientVersion",
    read: ({ error, code }) => {
      const stated = code ?? peek(error, "errorCode");
      return meanCode(typeof stated === "string" ? reasonOfCode("prisma", stated) : undefined);
    },
  },
  mongo: {
    weight: "code",
    names: ["MongoServerError", "MongoBulkWriteError", "MongoWriteConcernError"],
    read: ({ code }) => meanCode(typeof code === "number" ? reasonOfCode("mongo", code) : undefined),
  },
  mongooseValidation: {
    weight: "code",
    names: ["ValidationError"],
    member: "_message",
    read: () => mean(validation_failed),
  },
  mongooseCast: { weight: "code", names: ["CastError"], member: "valueType", read: () => mean(validation_failed) },
  mongooseMissing: { weight: "code", names: ["DocumentNotFoundError"], read: () => mean(not_found) },
  /** The protocol of Redis puts the code before the text of a reply, and clients keep only both together. */
  redis: {
    weight: "code",
    names: ["ReplyError", "ErrorReply", "SimpleError"],
    read: ({ error }) => {
      const word = /^[A-Z]{2,16}(?= )/.exec(peekString(error, "message")?.slice(0, 20) ?? "")?.[0];
      return meanCode(reasonOfCode("redis", word));
    },
  },
} as const satisfies Readonly<Record<string, ThrownRow>>;

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

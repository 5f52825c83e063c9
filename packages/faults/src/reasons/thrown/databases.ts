// Errors of databases, by their codes. What a caller reads never names a table or a column.

import { peek, peekInteger, peekString } from "../../errors/peek.ts";
import { internal, misconfigured, not_found, validation_failed } from "../library/core.ts";
import type { TableReason } from "../types.ts";
import { reasonOfBeginning, reasonOfCode } from "./codes.ts";
import { mean, type ReadError, type ThrownRow } from "./meaning.ts";

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
export const DATABASE_ROWS = {
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

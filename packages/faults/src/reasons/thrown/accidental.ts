// Errors whose text was not written for a caller, whatever status somebody put on them.
import { classNamesOf, peek, peekInteger, peekString } from "../../errors/peek.ts";
import { systemFaultOf } from "../../errors/system-codes.ts";
import { matchAbort } from "./platform-errors.ts";
import { matchPostgresError } from "./postgres.ts";

/** Classes of the JavaScript engine and the platform. The class does not tell an author's text from the engine's. */
const ENGINE_CLASSES = new Set([
  "TypeError",
  "RangeError",
  "SyntaxError",
  "ReferenceError",
  "EvalError",
  "URIError",
  "InternalError",
  "DOMException",
]);

const DATABASE_NAMES =
  /^(?:Mongo|Prisma|Sequelize|SQL|Sqlite|Sql|Postgres|DatabaseError|Drizzle|QueryFailed|Redis|ReplyError|ErrorReply|SimpleError|Mysql|MySQL|MariaDB|Knex|Oracle|Cassandra|Neo4j)/;
const DATABASE_CODES = /^(?:SQLITE_|ERR_SQLITE|ER_|ORA-|P\d{4}$|WRONGTYPE|NOAUTH|MOVED)/;
/** Members that only errors of database drivers have. */
const DATABASE_MEMBERS = ["sqlState", "sqlstate", "sqlMessage", "sql", "driverError", "clientVersion"];

/** Objects that clients of HTTP put on their errors: their status was addressed to this server. */
const CLIENT_OBJECTS = ["response", "request", "config", "$metadata", "$response"];
const CLIENT_NAMES = new Set(["AxiosError", "FetchError"]);
const REQUEST_IDS = ["requestID", "requestId", "request_id"];

/** Signs of where an error comes from. */
const SIGNS = {
  engine: (error, names) => ENGINE_CLASSES.has(names[0] ?? "") || matchAbort(error) !== undefined,
  system: (error) =>
    systemFaultOf(error) !== undefined ||
    peekString(error, "syscall") !== undefined ||
    peekInteger(error, "errno") !== undefined,
  database: (error, names) =>
    matchPostgresError(error) !== undefined ||
    names.some((name) => DATABASE_NAMES.test(name)) ||
    DATABASE_CODES.test(peekString(error, "code") ?? "") ||
    DATABASE_MEMBERS.some((member) => peekString(error, member) !== undefined),
  client: (error, names) =>
    names.some((name) => CLIENT_NAMES.has(name)) ||
    CLIENT_OBJECTS.some((member) => isObject(peek(error, member))) ||
    (isObject(peek(error, "headers")) && REQUEST_IDS.some((member) => peek(error, member) !== undefined)),
} as const satisfies Record<string, (error: unknown, names: readonly string[]) => boolean>;

/** Whether an error comes from the engine, the system, a database or a client of HTTP. */
export function isAccidental(error: unknown): boolean {
  const names = [...classNamesOf(error), peekString(error, "name") ?? ""];
  return Object.values(SIGNS).some((hasSign) => hasSign(error, names));
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

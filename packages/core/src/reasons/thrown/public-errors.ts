// Errors that their author addressed to the caller, recognised by their shape and without running their code.

import { peek, peekInteger, peekString, readClassNames } from "../../errors/peek.ts";
import { FaultError } from "../../fault/error.ts";
import { isSdkError } from "../../sdk/errors.ts";
import { statusByWord } from "../http/body.ts";
import { callerStatusBuilder, type MatchedFaultBuilder } from "../http/statuses.ts";
import { validation_failed } from "../library/core.ts";
import { errorChain } from "./meaning.ts";
import { sdkReason } from "./sdk-errors.ts";
import { isKnownAccident } from "./table.ts";

/** The statuses of the code names that tRPC and servers of GraphQL use for mistakes of a caller. */
const CODE_STATUSES = /* @__PURE__ */ statusByWord({
  400: "BAD_REQUEST PARSE_ERROR BAD_USER_INPUT INVALID_INPUT VALIDATION_ERROR GRAPHQL_PARSE_FAILED GRAPHQL_VALIDATION_FAILED OPERATION_RESOLUTION_FAILURE",
  401: "UNAUTHORIZED UNAUTHENTICATED",
  402: "PAYMENT_REQUIRED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  408: "TIMEOUT",
  409: "CONFLICT ALREADY_EXISTS",
  410: "GONE",
  412: "PRECONDITION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  428: "PRECONDITION_REQUIRED",
  429: "TOO_MANY_REQUESTS RATE_LIMITED",
  499: "CLIENT_CLOSED_REQUEST",
});

/** The status of a code name that blames the caller; undefined for any other name. */
export function callerCodeStatus(code: string | undefined): number | undefined {
  return code !== undefined && Object.hasOwn(CODE_STATUSES, code) ? CODE_STATUSES[code] : undefined;
}

// Errors whose text was not written for a caller, whatever status was set on them.
/** Classes of the JavaScript engine and the platform. The class does not tell an author's text from the engine's. */
export const ENGINE_CLASSES: ReadonlySet<string> = /* @__PURE__ */ new Set(
  "TypeError RangeError SyntaxError ReferenceError EvalError URIError InternalError DOMException".split(" "),
);

/** Classes of databases whose errors need not have a code. */
const DATABASE_NAMES =
  /^(?:Mongo|Prisma|Sequelize|SQL|Sqlite|Sql|Postgres|DatabaseError|Drizzle|QueryFailed|Mysql|MySQL|MariaDB|Knex|Oracle|Cassandra|Neo4j)/;

/** Objects that clients of HTTP put on their errors: their status was addressed to this server. */
const CLIENT_OBJECTS = ["response", "request", "config", "$response"];
const CLIENT_NAMES = ["AxiosError", "FetchError"];

/** Whether an error comes from the engine, the system, a database or a client of HTTP. */
function isAccidental(error: unknown): boolean {
  const names = [...readClassNames(error), peekString(error, "name") ?? ""];
  if (ENGINE_CLASSES.has(names[0] ?? "") || isKnownAccident(error)) return true;
  if (peekString(error, "syscall") !== undefined || peekInteger(error, "errno") !== undefined) return true;
  if (names.some((name) => DATABASE_NAMES.test(name) || CLIENT_NAMES.includes(name))) return true;
  return CLIENT_OBJECTS.some((member) => isNonNullObject(peek(error, member)));
}

function isNonNullObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

export interface PublicError {
  readonly build: MatchedFaultBuilder;
  /** The sentence of its author; undefined if the error has none, or only repeats another error. */
  readonly text: string | undefined;
}

interface Shape {
  readonly build: MatchedFaultBuilder | undefined;
  readonly text: string | undefined;
}

type ShapeReader = (error: unknown, names: readonly string[]) => Shape | undefined;

/** Codes of the protocol that blame the caller. Any text may stand under the others, above all under -32603. */
const PUBLIC_CODES = [-32600, -32601, -32602, -32002];

const sdkBuilder = (error: unknown): MatchedFaultBuilder | undefined => {
  const reason = sdkReason(error);
  return reason && ((options) => reason.fault(undefined, options));
};

const byStatus = (error: unknown, status: number | undefined): Shape => ({
  build: callerStatusBuilder(status),
  text: peekString(error, "message"),
});

/** The shapes of public errors. The first that knows an error decides. */
const ERROR_SHAPES = {
  /** Errors of the official SDK, versions 1 and 2. */
  protocol: (error) => {
    const code = peekInteger(error, "code") ?? 0;
    if (!isSdkError(error, "McpError") && !isSdkError(error, "ProtocolError")) return undefined;
    return { build: PUBLIC_CODES.includes(code) ? sdkBuilder(error) : undefined, text: sdkText(error, code) };
  },
  /** `boomify` makes a Boom of any error, so the text may come from other code. Boom marks those that it creates itself. */
  boom: (error) => {
    if (peek(error, "isBoom") !== true) return undefined;
    const output = peek(error, "output");
    const shape = byStatus(error, peekInteger(output, "statusCode"));
    const isCreated = typeof peek(error, "typeof") === "function";
    return { ...shape, text: isCreated ? (peekString(peek(output, "payload"), "message") ?? shape.text) : undefined };
  },
  trpc: (error) => {
    if (peekString(error, "name") !== "TRPCError") return undefined;
    return byStatus(error, callerCodeStatus(peekString(error, "code")));
  },
  graphql: (error, names) => {
    if (!names.includes("GraphQLError")) return undefined;
    const isWrapped = peek(error, "originalError") !== undefined;
    const code = callerCodeStatus(peekString(peek(error, "extensions"), "code"));
    return byStatus(error, isWrapped ? undefined : code);
  },
  fastify: (error) => {
    const isFastify = peekString(error, "name") === "FastifyError" || /^FST_/.test(peekString(error, "code") ?? "");
    return isFastify ? byStatus(error, peekInteger(error, "statusCode")) : undefined;
  },
  hono: (error, names) => {
    return names.includes("HTTPException") ? byStatus(error, peekInteger(error, "status")) : undefined;
  },
  /** It has no status: its author only says that the text is for the caller. */
  fastmcp: (error, names) => {
    if (!names.includes("UserError") || !names.includes("FastMCPError")) return undefined;
    return { build: (options) => validation_failed.fault(undefined, options), text: peekString(error, "message") };
  },
  /** http-errors, and with it Koa and Express. */
  exposed: (error) => {
    if (peek(error, "expose") !== true) return undefined;
    return byStatus(error, peekInteger(error, "status") ?? peekInteger(error, "statusCode"));
  },
} as const satisfies Record<string, ShapeReader>;

/** The public error that was thrown; undefined for any other value. Its causes do not count. */
export function readPublicError(thrown: unknown): PublicError | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  const names = readClassNames(thrown);
  for (const read of Object.values(ERROR_SHAPES) as readonly ShapeReader[]) {
    const shape = read(thrown, names);
    if (shape === undefined) continue;
    if (shape.build === undefined || isAccidental(thrown)) return undefined;
    const text = shape.text === "" || repeatsCause(thrown, shape.text) ? undefined : shape.text;
    return { build: shape.build, text };
  }
  return undefined;
}

/** The text of an error of the SDK as its author wrote it: version 1 puts the code before it. */
export function sdkText(error: unknown, code: number): string | undefined {
  const prefix = `MCP error ${code}: `;
  let text = peekString(error, "message");
  while (text?.startsWith(prefix) === true) text = text.slice(prefix.length);
  return text;
}

/** A shorter message of a cause may stand in a sentence by chance. */
const MIN_REPEATED = 4;

/** Whether a text contains the message of one of the causes: TRPCError copies it, and so do many authors. */
function repeatsCause(thrown: unknown, text: string | undefined): boolean {
  return errorChain(thrown).some((error) => {
    if (error === thrown || FaultError.is(error)) return false;
    const message = typeof error === "string" ? error : peekString(error, "message");
    if (message === undefined || text === undefined) return false;
    return text === message || (message.length >= MIN_REPEATED && text.includes(message));
  });
}

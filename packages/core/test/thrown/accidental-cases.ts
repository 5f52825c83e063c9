// Errors whose text was not written for a caller, made with the real packages where these are small.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import createFastifyError from "@fastify/error";
import Boom from "@hapi/boom";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/server";
import { RequestError } from "@octokit/request-error";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { TRPCError } from "@trpc/server";
import axios from "axios";
import got from "got";
import { buildSchema, GraphQLError, graphql } from "graphql";
import { HTTPException } from "hono/http-exception";
import createError from "http-errors";
import ky from "ky";
import pg from "pg";
import { Agent, interceptors, request } from "undici";
import { caught } from "./caught.ts";
import { UnexpectedStateError } from "./fastmcp.ts";
import type { ThrownCase } from "./public-cases.ts";

const SECRET = "postgres://app:hunter2@10.0.0.5/private";

/** What a client of HTTP throws about a 404. */
function refusedBy(get: (url: string) => Promise<unknown>): () => Promise<unknown> {
  return async () => {
    const server = createServer((_request, response) => {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: SECRET }));
    });
    const { url, close } = await listenOnLoopback(server);
    try {
      return await caught(() => get(String(url)))();
    } finally {
      await close();
    }
  };
}

function databaseError(): Error {
  const error = new pg.DatabaseError(SECRET, 7, "error");
  return Object.assign(error, { severity: "ERROR", code: "42P01" });
}

/** Puts what public errors have onto a foreign error. */
const exposed = (error: object) => Object.assign(error, { status: 404, statusCode: 404, expose: true });

async function resolverError(): Promise<unknown> {
  const schema = buildSchema("type Query { order: String }");
  const rootValue = {
    order: () => {
      throw Object.assign(new Error(SECRET), { extensions: { code: "NOT_FOUND" } });
    },
  };
  return (await graphql({ schema, source: "{ order }", rootValue })).errors?.[0];
}

const NotThere = createFastifyError("FST_ERR_DB", SECRET, 500);
const sqlite = caught(() => new DatabaseSync(":memory:").exec("select * from orders_private"));
const parse = caught(() => JSON.parse("orders_private"));
const read = caught(() => readFileSync("/orders_private"));

/** Shapes of clients whose packages are large. */
const LOOKALIKES: Readonly<Record<string, readonly [members: object, kind: string]>> = {
  superagent: [{ status: 404, response: { status: 404, headers: {}, body: {} } }, "not_found"],
  "AWS SDK": [{ name: "NoSuchKey", $fault: "client", $metadata: { httpStatusCode: 404 } }, "not_found"],
  OpenAI: [{ status: 404, headers: {}, requestID: "req_1", code: null, type: "invalid_request_error" }, "not_found"],
  Stripe: [{ statusCode: 404, headers: {}, requestId: "req_1", rawType: "invalid_request_error" }, "not_found"],
  "node-fetch": [{ name: "FetchError", type: "system" }, "internal"],
  MySQL: [{ code: "ER_NO_SUCH_TABLE", errno: 1146, sqlState: "42S02", sqlMessage: SECRET }, "internal"],
  Mongo: [{ name: "MongoServerError", code: 11_000 }, "conflict"],
  ioredis: [{ name: "ReplyError", command: { name: "get" } }, "internal"],
  Prisma: [{ name: "PrismaClientKnownRequestError", code: "P2025", clientVersion: "7.0.0" }, "not_found"],
  Sequelize: [{ name: "SequelizeDatabaseError", sql: "select" }, "internal"],
};

export const ACCIDENTAL_CASES: readonly ThrownCase[] = [
  { name: "a string", thrown: () => SECRET, kind: "internal" },
  { name: "an Error", thrown: () => new Error(SECRET), kind: "internal" },
  { name: "a bare status", thrown: () => Object.assign(new Error(SECRET), { status: 404 }), kind: "not_found" },
  {
    name: "a bare statusCode",
    thrown: () => Object.assign(new Error(SECRET), { statusCode: 400 }),
    kind: "invalid_input",
  },
  { name: "a bare code", thrown: () => Object.assign(new Error(SECRET), { code: "NOT_FOUND" }), kind: "internal" },
  { name: "McpError InternalError", thrown: () => new McpError(ErrorCode.InternalError, SECRET), kind: "internal" },
  { name: "McpError -32000", thrown: () => new McpError(ErrorCode.ConnectionClosed, SECRET), kind: "unavailable" },
  { name: "McpError -32001", thrown: () => new McpError(ErrorCode.RequestTimeout, SECRET), kind: "timeout" },
  { name: "McpError -32700", thrown: () => new McpError(ErrorCode.ParseError, SECRET), kind: "invalid_request" },
  { name: "McpError of the author's own code", thrown: () => new McpError(7, SECRET), kind: "internal" },
  { name: "ProtocolError -32603", thrown: () => new ProtocolError(-32603, SECRET), kind: "internal" },
  { name: "SdkError", thrown: () => new SdkError(SdkErrorCode.SendFailed, SECRET), kind: "unavailable" },
  {
    name: "a code of JSON-RPC alone",
    thrown: () => Object.assign(new Error(SECRET), { code: -32602 }),
    kind: "internal",
  },
  { name: "http-errors 500", thrown: () => createError(500, SECRET), kind: "internal" },
  { name: "http-errors 503", thrown: () => createError(503, SECRET, { expose: true }), kind: "internal" },
  {
    name: "http-errors that is not exposed",
    thrown: () => createError(404, SECRET, { expose: false }),
    kind: "internal",
  },
  {
    name: "http-errors around a parser's error",
    thrown: async () => createError(400, (await parse()) as Error),
    kind: "internal",
  },
  {
    name: "http-errors around a missing file",
    thrown: async () => createError(404, (await read()) as Error),
    kind: "internal",
  },
  { name: "Boom.badImplementation", thrown: () => Boom.badImplementation(SECRET), kind: "internal" },
  { name: "boomify without a status", thrown: () => Boom.boomify(new Error(SECRET)), kind: "internal" },
  {
    name: "boomify of a database's error",
    thrown: () => Boom.boomify(databaseError(), { statusCode: 404 }),
    kind: "internal",
  },
  { name: "FastifyError 500", thrown: () => new NotThere(), kind: "internal" },
  { name: "Hono 500", thrown: () => new HTTPException(500, { message: SECRET }), kind: "internal" },
  {
    name: "TRPCError INTERNAL_SERVER_ERROR",
    thrown: () => new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: SECRET }),
    kind: "internal",
  },
  { name: "GraphQLError without a code", thrown: () => new GraphQLError(SECRET), kind: "internal" },
  {
    name: "GraphQLError INTERNAL_SERVER_ERROR",
    thrown: () => new GraphQLError(SECRET, { extensions: { code: "INTERNAL_SERVER_ERROR" } }),
    kind: "internal",
  },
  { name: "GraphQLError around a resolver's error", thrown: resolverError, kind: "internal" },
  { name: "an error of FastMCP itself", thrown: () => new UnexpectedStateError(SECRET), kind: "internal" },
  { name: "PostgreSQL", thrown: databaseError, kind: "internal" },
  { name: "PostgreSQL, exposed", thrown: () => exposed(databaseError()), kind: "internal" },
  { name: "SQLite", thrown: sqlite, kind: "internal" },
  { name: "SQLite, exposed", thrown: async () => exposed((await sqlite()) as object), kind: "internal" },
  { name: "a missing file", thrown: read, kind: "internal" },
  { name: "a missing file, exposed", thrown: async () => exposed((await read()) as object), kind: "internal" },
  {
    name: "a refused connection",
    thrown: caught(() => request("http://127.0.0.1:1/")),
    kind: "unavailable",
  },
  { name: "a parser's error", thrown: parse, kind: "internal" },
  { name: "a reply that is no JSON", thrown: caught(() => new Response(SECRET).json()), kind: "upstream_failed" },
  { name: "a parser's error, exposed", thrown: async () => exposed((await parse()) as object), kind: "internal" },
  { name: "a TypeError", thrown: caught(() => (undefined as unknown as string).length), kind: "internal" },
  { name: "a TypeError, exposed", thrown: () => exposed(new TypeError(SECRET)), kind: "internal" },
  { name: "a RangeError, exposed", thrown: () => exposed(new RangeError(SECRET)), kind: "internal" },
  {
    name: "an abort, exposed",
    thrown: () => exposed(Object.assign(new Error(SECRET), { name: "AbortError" })),
    kind: "timeout",
  },
  { name: "axios", thrown: refusedBy((url) => axios.get(url)), kind: "not_found" },
  { name: "got", thrown: refusedBy((url) => got(url, { retry: { limit: 0 } })), kind: "not_found" },
  { name: "ky", thrown: refusedBy((url) => ky.get(url, { retry: 0 })), kind: "not_found" },
  {
    name: "undici",
    thrown: refusedBy((url) => request(url, { dispatcher: new Agent().compose(interceptors.responseError()) })),
    kind: "not_found",
  },
  {
    name: "Octokit",
    thrown: () => new RequestError(SECRET, 404, { request: { method: "GET", url: "https://x.example", headers: {} } }),
    kind: "not_found",
  },
  {
    name: "axios, exposed",
    thrown: refusedBy((url) => axios.get(url).catch((error) => Promise.reject(exposed(error)))),
    kind: "not_found",
  },
  ...Object.entries(LOOKALIKES).flatMap(([name, [members, kind]]) => [
    { name, thrown: () => Object.assign(new Error(SECRET), members), kind },
    { name: `${name}, exposed`, thrown: () => exposed(Object.assign(new Error(SECRET), members)), kind },
  ]),
  {
    name: "a public error as a cause",
    thrown: () => new Error(SECRET, { cause: createError(404, SECRET) }),
    kind: "internal",
  },
  {
    name: "a protocol error as a cause",
    thrown: () => new Error(SECRET, { cause: new McpError(ErrorCode.InvalidParams, SECRET) }),
    kind: "invalid_input",
  },
];

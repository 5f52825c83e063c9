// Errors that their author addressed to the caller, made with the real packages.
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import createFastifyError from "@fastify/error";
import Boom from "@hapi/boom";
import * as clientV2 from "@modelcontextprotocol/client";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import * as serverV2 from "@modelcontextprotocol/server";
import { TRPCError } from "@trpc/server";
import fastify from "fastify";
import { GraphQLError } from "graphql";
import { HTTPException } from "hono/http-exception";
import createError from "http-errors";
import Koa from "koa";
import { caught } from "./caught.ts";
import { UserError } from "./fastmcp.ts";

/** One thrown value, and what has to become of it by default. */
export interface ThrownCase {
  readonly name: string;
  readonly thrown: () => unknown;
  readonly kind: string;
  /** The text that is quoted; undefined where none is shown. */
  readonly shown?: string;
}

const S = "Order id must be positive";

function koaContext() {
  const request = new IncomingMessage(new Socket());
  return new Koa().createContext(request, new ServerResponse(request));
}

async function fastifyError(options: { readonly payload: string; readonly type: string }): Promise<unknown> {
  const app = fastify({ bodyLimit: 1_000 });
  let thrown: unknown;
  app.setErrorHandler((error, _request, reply) => {
    thrown = error;
    return reply.code(400).send();
  });
  const body = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
  app.post("/", { schema: { body } }, () => "ok");
  const headers = { "content-type": options.type };
  await app.inject({ method: "POST", url: "/", payload: options.payload, headers });
  await app.close();
  return thrown;
}

const NotFound = createFastifyError("ORDER_MISSING", "There is no order %s", 404);
const Refused = createFastifyError("FST_ERR_ORDER", "The order is refused", 409, TypeError);

class OrderError extends Error {
  readonly expose = true;
  readonly status = 409;
}

class Missing extends HTTPException {}

/** Every status of http-errors that tells callers apart. */
const STATUSES: readonly (readonly [status: number, kind: string])[] = [
  [400, "invalid_input"],
  [401, "unauthenticated"],
  [402, "precondition_failed"],
  [403, "forbidden"],
  [404, "not_found"],
  [405, "unsupported"],
  [409, "conflict"],
  [410, "not_found"],
  [412, "precondition_failed"],
  [415, "unsupported"],
  [418, "invalid_input"],
  [422, "invalid_input"],
  [423, "precondition_failed"],
  [429, "rate_limited"],
  [451, "forbidden"],
];

const TRPC: readonly (readonly [code: ConstructorParameters<typeof TRPCError>[0]["code"], kind: string])[] = [
  ["BAD_REQUEST", "invalid_input"],
  ["PARSE_ERROR", "invalid_input"],
  ["UNAUTHORIZED", "unauthenticated"],
  ["FORBIDDEN", "forbidden"],
  ["NOT_FOUND", "not_found"],
  ["CONFLICT", "conflict"],
  ["PRECONDITION_FAILED", "precondition_failed"],
  ["UNPROCESSABLE_CONTENT", "invalid_input"],
  ["TOO_MANY_REQUESTS", "rate_limited"],
];

const GRAPHQL: readonly (readonly [code: string, kind: string])[] = [
  ["BAD_USER_INPUT", "invalid_input"],
  ["GRAPHQL_VALIDATION_FAILED", "invalid_input"],
  ["GRAPHQL_PARSE_FAILED", "invalid_input"],
  ["UNAUTHENTICATED", "unauthenticated"],
  ["FORBIDDEN", "forbidden"],
  ["NOT_FOUND", "not_found"],
];

const PROTOCOL: readonly (readonly [code: number, kind: string])[] = [
  [-32600, "invalid_request"],
  [-32601, "unsupported"],
  [-32602, "invalid_input"],
  [-32002, "not_found"],
];

export const PUBLIC_CASES: readonly ThrownCase[] = [
  ...PROTOCOL.flatMap(([code, kind]) => [
    { name: `McpError ${code}`, thrown: () => new McpError(code, S), kind, shown: S },
    { name: `ProtocolError ${code} of the server`, thrown: () => new serverV2.ProtocolError(code, S), kind, shown: S },
    { name: `ProtocolError ${code} of the client`, thrown: () => new clientV2.ProtocolError(code, S), kind, shown: S },
  ]),
  {
    name: "McpError that was thrown on",
    thrown: () => new McpError(ErrorCode.InvalidParams, new McpError(ErrorCode.InvalidParams, S).message),
    kind: "invalid_input",
    shown: S,
  },
  {
    name: "ResourceNotFoundError",
    thrown: () => new serverV2.ResourceNotFoundError("order://7"),
    kind: "not_found",
    shown: "Resource not found: order://7",
  },
  ...STATUSES.map(([status, kind]) => ({
    name: `http-errors ${status}`,
    thrown: () => createError(status, S),
    kind,
    shown: S,
  })),
  { name: "http-errors class", thrown: () => new createError.NotFound(S), kind: "not_found", shown: S },
  {
    name: "http-errors with headers and members",
    thrown: () => createError(400, S, { headers: { "retry-after": "1" }, requestNumber: 7 }),
    kind: "invalid_input",
    shown: S,
  },
  { name: "http-errors without a text", thrown: () => createError(404), kind: "not_found", shown: "Not Found" },
  {
    name: "http-errors around an error",
    thrown: () => createError(400, new Error(S)),
    kind: "invalid_input",
    shown: S,
  },
  {
    name: "Koa's ctx.throw",
    thrown: caught(() => koaContext().throw(400, S, { user: 7 })),
    kind: "invalid_input",
    shown: S,
  },
  { name: "Koa's ctx.assert", thrown: caught(() => koaContext().assert(false, 404, S)), kind: "not_found", shown: S },
  {
    name: "Express: an Error with status and expose",
    thrown: () => Object.assign(new Error(S), { statusCode: 403, expose: true }),
    kind: "forbidden",
    shown: S,
  },
  { name: "a class of the author with expose", thrown: () => new OrderError(S), kind: "conflict", shown: S },
  { name: "Boom.badRequest", thrown: () => Boom.badRequest(S), kind: "invalid_input", shown: S },
  { name: "Boom.notFound", thrown: () => Boom.notFound(S, { id: 7 }), kind: "not_found", shown: S },
  { name: "Boom.unauthorized", thrown: () => Boom.unauthorized(S, "Basic"), kind: "unauthenticated", shown: S },
  { name: "Boom.forbidden", thrown: () => Boom.forbidden(S), kind: "forbidden", shown: S },
  { name: "Boom.conflict", thrown: () => Boom.conflict(S), kind: "conflict", shown: S },
  { name: "Boom.badData", thrown: () => Boom.badData(S), kind: "invalid_input", shown: S },
  { name: "new Boom", thrown: () => new Boom.Boom(S, { statusCode: 409 }), kind: "conflict", shown: S },
  {
    name: "Boom of a foreign error: the status is the author's, the text is not",
    thrown: () => Boom.boomify(new Error("relation orders does not exist"), { statusCode: 404 }),
    kind: "not_found",
  },
  { name: "@fastify/error", thrown: () => new NotFound("7"), kind: "not_found", shown: "There is no order 7" },
  {
    name: "@fastify/error of another base",
    thrown: () => new Refused(),
    kind: "conflict",
    shown: "The order is refused",
  },
  {
    name: "Fastify's validation",
    thrown: () => fastifyError({ payload: '{"id":"x"}', type: "application/json" }),
    kind: "invalid_input",
    shown: "body/id must be integer",
  },
  {
    name: "Fastify's body limit",
    thrown: () => fastifyError({ payload: `{"id":"${"x".repeat(2_000)}"}`, type: "application/json" }),
    kind: "invalid_input",
    shown: "Request body is too large",
  },
  {
    name: "Fastify's media types",
    thrown: () => fastifyError({ payload: "x", type: "image/png" }),
    kind: "unsupported",
    shown: "Unsupported Media Type",
  },
  { name: "Hono 400", thrown: () => new HTTPException(400, { message: S }), kind: "invalid_input", shown: S },
  { name: "Hono 404", thrown: () => new HTTPException(404, { message: S }), kind: "not_found", shown: S },
  { name: "a class that extends Hono's", thrown: () => new Missing(403, { message: S }), kind: "forbidden", shown: S },
  { name: "Hono without a text", thrown: () => new HTTPException(404), kind: "not_found" },
  {
    name: "Hono with a cause of its own",
    thrown: () => new HTTPException(400, { message: S, cause: new Error("relation orders does not exist") }),
    kind: "invalid_input",
    shown: S,
  },
  {
    name: "Hono that repeats its cause",
    thrown: () => {
      const cause = new Error("relation orders does not exist");
      return new HTTPException(400, { message: `Failed: ${cause.message}`, cause });
    },
    kind: "invalid_input",
  },
  ...TRPC.map(([code, kind]) => ({
    name: `TRPCError ${code}`,
    thrown: () => new TRPCError({ code, message: S }),
    kind,
    shown: S,
  })),
  {
    name: "TRPCError with the text of its cause",
    thrown: () => new TRPCError({ code: "NOT_FOUND", cause: new Error("relation orders does not exist") }),
    kind: "not_found",
  },
  {
    name: "TRPCError with a text and a cause",
    thrown: () => new TRPCError({ code: "NOT_FOUND", message: S, cause: new Error("relation orders does not exist") }),
    kind: "not_found",
    shown: S,
  },
  ...GRAPHQL.map(([code, kind]) => ({
    name: `GraphQLError ${code}`,
    thrown: () => new GraphQLError(S, { extensions: { code } }),
    kind,
    shown: S,
  })),
  { name: "FastMCP's UserError", thrown: () => new UserError(S), kind: "invalid_input", shown: S },
  {
    name: "a public error whose text the filter removes",
    thrown: () => createError(400, "Cannot use postgres://app:hunter2@db.internal/x"),
    kind: "invalid_input",
  },
];

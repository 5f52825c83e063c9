import { isInstance, peek, peekInteger, peekString } from "../../errors/peek.ts";
import { causeOf } from "../../incidents/read-thrown.ts";
import { access_denied } from "../../reasons/library/auth.ts";
import { invalid_type, message_too_large } from "../../reasons/library/content.ts";
import { timeout } from "../../reasons/library/core.ts";
import { bad_request, invalid_request, parse_error } from "../../reasons/library/protocol.ts";
import { convertThrown } from "../../reasons/thrown/to-fault.ts";
import type { Refusal } from "../http/exchange.ts";
import type { HandlerOptions } from "../http/options.ts";
import { respond } from "../http/respond.ts";
import { NESTED_TOO_DEEPLY } from "./body.ts";

/** The answer to a request whose handling ended with an error: a fault, without a stack trace and without foreign text. */
export function errorResponse(error: unknown, request: Request, options: HandlerOptions): Response {
  const startedMs = (options.now ?? Date.now)();
  return respond(refusalOf(error, options), { request, extra: undefined, options, startedMs });
}

function refusalOf(error: unknown, options: HandlerOptions): Refusal {
  const status = peekInteger(error, "statusCode") ?? peekInteger(error, "status") ?? 500;
  if (isParserError(error) && status >= 400 && status < 500) {
    return { ...(BY_STATUS[status]?.(error) ?? { fault: bad_request.fault() }), cause: error };
  }
  return { ...convertThrown(error, options), cause: causeOf(error), foreign: true };
}

/** What the parsers of Express and Fastify refuse. Their sentences repeat pieces of the body, so none is used. */
const BY_STATUS: Readonly<Record<number, (error: unknown) => Refusal>> = {
  400: (error) => {
    if (isBrokenJson(error)) return { fault: parse_error.fault() };
    return { fault: peek(error, "type") === NESTED_TOO_DEEPLY ? invalid_request.fault() : bad_request.fault() };
  },
  403: () => ({ fault: access_denied.fault() }),
  408: () => ({ fault: timeout.fault({}, { effect: "none" }), status: 408 }),
  413: (error) => {
    const maxSize = peekInteger(error, "limit");
    const actualSize = peekInteger(error, "length");
    return {
      fault: message_too_large.fault({
        ...(maxSize !== undefined && { maxSize }),
        ...(actualSize !== undefined && { actualSize }),
      }),
    };
  },
  415: () => ({ fault: invalid_type.fault() }),
};

/** By the marks that body-parser and Fastify set, and by the errors of the language that they and routers give a status. */
function isParserError(error: unknown): boolean {
  if (PARSER_CODE.test(peekString(error, "code") ?? "")) return true;
  if (PARSER_TYPE.test(peekString(error, "type") ?? "")) return true;
  return isInstance(error, SyntaxError) || isInstance(error, URIError);
}

/** Of Fastify, and of the unpacking of compressed bodies. */
const PARSER_CODE = /^(?:FST_ERR_CTP_|Z_)[A-Z_]{1,60}$/;
const PARSER_TYPE = /^(?:entity|encoding|charset|request|stream|parameters|querystring)\.[a-z.]{1,40}$/;
const BROKEN_JSON = ["entity.parse.failed", "FST_ERR_CTP_INVALID_JSON_BODY", "FST_ERR_CTP_EMPTY_JSON_BODY"];

function isBrokenJson(error: unknown): boolean {
  return (
    isInstance(error, SyntaxError) ||
    [peek(error, "type"), peek(error, "code")].some((mark) => BROKEN_JSON.includes(mark as string))
  );
}

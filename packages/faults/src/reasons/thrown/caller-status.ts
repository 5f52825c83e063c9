import { not_authorized, unauthorized } from "../library/auth.ts";
import { message_too_large } from "../library/content.ts";
import {
  cancelled,
  conflict,
  not_found,
  precondition_failed,
  rate_limited,
  timeout,
  unsupported,
  validation_failed,
} from "../library/core.ts";
import { type FaultBuilder, withoutParams } from "./error-matcher.ts";

const tooLarge = withoutParams(message_too_large);

/**
 * What a status means that this server's own code put on an error for its caller. The HTTP dialect reads replies of other
 * services, where some statuses mean something else: a test holds the two tables together.
 */
const BUILDERS: Readonly<Record<number, FaultBuilder>> = {
  401: withoutParams(unauthorized),
  402: (options) => precondition_failed.fault(undefined, { recourse: [{ do: "ask_user" }], ...options }),
  403: withoutParams(not_authorized),
  404: withoutParams(not_found),
  405: withoutParams(unsupported),
  406: withoutParams(unsupported),
  408: withoutParams(timeout),
  409: withoutParams(conflict),
  410: withoutParams(not_found),
  412: withoutParams(precondition_failed),
  413: tooLarge,
  414: tooLarge,
  415: withoutParams(unsupported),
  423: withoutParams(precondition_failed),
  424: withoutParams(precondition_failed),
  426: withoutParams(unsupported),
  428: withoutParams(precondition_failed),
  429: withoutParams(rate_limited),
  431: tooLarge,
  451: withoutParams(not_authorized),
  499: withoutParams(cancelled),
};

/** HTTP says that a client treats a 4xx status that it does not know like 400. */
const BAD_REQUEST = withoutParams(validation_failed);

/** The fault of a status that blames the caller; undefined for any other number. */
export function callerStatusBuilder(status: number | undefined): FaultBuilder | undefined {
  if (status === undefined || status < 400 || status > 499) return undefined;
  return BUILDERS[status] ?? BAD_REQUEST;
}

/** The statuses of the code names that tRPC and servers of GraphQL use for mistakes of a caller. */
const CODE_STATUSES: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  PARSE_ERROR: 400,
  BAD_USER_INPUT: 400,
  INVALID_INPUT: 400,
  VALIDATION_ERROR: 400,
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  OPERATION_RESOLUTION_FAILURE: 400,
  UNAUTHORIZED: 401,
  UNAUTHENTICATED: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  TIMEOUT: 408,
  CONFLICT: 409,
  ALREADY_EXISTS: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_CONTENT: 422,
  PRECONDITION_REQUIRED: 428,
  TOO_MANY_REQUESTS: 429,
  RATE_LIMITED: 429,
  CLIENT_CLOSED_REQUEST: 499,
};

/** The status of a code name that blames the caller; undefined for any other name. */
export function callerCodeStatus(code: string | undefined): number | undefined {
  return code !== undefined && Object.hasOwn(CODE_STATUSES, code) ? CODE_STATUSES[code] : undefined;
}

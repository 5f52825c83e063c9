import { AdapterError } from "@recourse/bridge";
import { FaultError } from "@recourse/faults";
import type { FailureIdentifier } from "../orders/failures.ts";

/** The HTTP status of each declared failure. */
const STATUS_BY_FAILURE: Readonly<Record<FailureIdentifier, number>> = {
  ORDER_NOT_FOUND: 404,
  INVALID_ORDER_STATE: 409,
  OUT_OF_STOCK: 409,
  KEY_REUSED: 422,
  TOO_MANY_ORDERS: 429,
  ORDER_INCONSISTENT: 500,
};

/** How long callers should wait during an outage of the database, in seconds. */
const OUTAGE_WAIT_S = 2;

/** The response to a failure: a code, and if they help, the params, the fields or a wait. */
export function failureResponse(thrown: unknown): Response {
  if (AdapterError.is(thrown)) {
    const { identifier, params, retry } = thrown;
    const waitS = retry?.afterMs === undefined ? undefined : Math.ceil(retry.afterMs / 1_000);
    return jsonResponse(STATUS_BY_FAILURE[identifier as FailureIdentifier], { code: identifier, params }, waitS);
  }
  const fault = FaultError.is(thrown) ? thrown.fault : undefined;
  switch (fault?.kind) {
    case "invalid_input": {
      const errors = fault.issues?.map(({ pointer, rule }) => ({ field: pointer, code: rule }));
      return jsonResponse(422, { code: "INVALID", errors });
    }
    case "timeout":
      return jsonResponse(504, { code: "TIMEOUT" });
    case "unavailable":
      return jsonResponse(503, { code: "DATABASE_AWAY" }, OUTAGE_WAIT_S);
    default:
      return jsonResponse(500, { code: "INTERNAL" });
  }
}

/** A JSON response. */
export function jsonResponse(status: number, body: object, waitS?: number): Response {
  return Response.json(body, { status, headers: waitS === undefined ? {} : { "retry-after": String(waitS) } });
}

import { AdapterError } from "@recourse/bridge";
import { FaultError } from "@recourse/faults";
import type { FailureName } from "../orders/failures.ts";

/** The status of each failure that the service names. */
const STATUSES: Readonly<Record<FailureName, number>> = {
  ORDER_NOT_FOUND: 404,
  INVALID_ORDER_STATE: 409,
  OUT_OF_STOCK: 409,
  KEY_REUSED: 422,
  TOO_MANY_ORDERS: 429,
  ORDER_INCONSISTENT: 500,
};

/** How long callers should wait for a database that is away. */
const OUTAGE_WAIT_S = 2;

/** A failure of the service: a code, and where it helps the values, the fields or a wait. */
export function failureReply(thrown: unknown): Response {
  if (AdapterError.is(thrown)) {
    const { identifier, params, retry } = thrown;
    const waitS = retry?.afterMs === undefined ? undefined : Math.ceil(retry.afterMs / 1_000);
    return reply(STATUSES[identifier as FailureName], { code: identifier, params }, waitS);
  }
  const fault = FaultError.is(thrown) ? thrown.fault : undefined;
  switch (fault?.kind) {
    case "invalid_input": {
      const errors = fault.issues?.map(({ pointer, rule }) => ({ field: pointer, code: rule }));
      return reply(422, { code: "INVALID", errors });
    }
    case "timeout":
      return reply(504, { code: "TIMEOUT" });
    case "unavailable":
      return reply(503, { code: "DATABASE_AWAY" }, OUTAGE_WAIT_S);
    default:
      return reply(500, { code: "INTERNAL" });
  }
}

/** An answer that says no. */
export function reply(status: number, body: object, waitS?: number): Response {
  return Response.json(body, { status, headers: waitS === undefined ? {} : { "retry-after": String(waitS) } });
}

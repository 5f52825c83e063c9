import { AdapterError, type CallOutcome } from "@recourse/bridge";
import { FaultError } from "@recourse/faults";
import { adapter } from "@recourse/faults/reasons";
import * as z from "zod";
import { invalidArguments, isFailureIdentifier } from "../orders/failures.ts";

/** The part of the body that names the failure. */
const failureBody = z.object({ code: z.string(), params: z.record(z.string(), z.unknown()).optional() });

/**
 * The error of a failed call. A declared failure that the service names, and fields that it refuses, concern the caller only,
 * so they have no cause. An operation that the service does not offer is not implemented here either. For everything else the
 * fault of the bridge is right.
 */
export function toCallError({ fault, raw, cause }: Extract<CallOutcome, { readonly ok: false }>): Error {
  const named = parseFailure(raw);
  if (named !== undefined && isFailureIdentifier(named.code)) {
    const { params = {} } = named;
    return new AdapterError(named.code, { params, ...(fault.retry && { retry: fault.retry }) });
  }
  if (fault.kind === "unsupported") return adapter.not_implemented({}, { cause });
  if (fault.kind === "invalid_input" && fault.issues !== undefined) return invalidArguments(fault.issues);
  return new FaultError(fault, { cause });
}

function parseFailure(raw: string | undefined): z.infer<typeof failureBody> | undefined {
  try {
    return failureBody.safeParse(JSON.parse(raw ?? "null")).data;
  } catch {
    return undefined;
  }
}

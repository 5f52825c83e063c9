import { AdapterError, type Outcome } from "@recourse/bridge";
import { adapter, FaultError } from "@recourse/faults";
import * as z from "zod";
import { isFailureName } from "../orders/failures.ts";
import { refusalOf } from "../orders/refusal.ts";

/** The part of the service's answer that names its failure. */
const failure = z.object({ code: z.string(), params: z.record(z.string(), z.unknown()).optional() });

/**
 * What a failed call of the service means. A failure that the service names and the tools declare is that one; fields that
 * it refuses are the caller's own; what it does not offer the adapter does not either; for everything else the bridge knows best.
 */
export function failedCall({ fault, raw, cause }: Extract<Outcome, { readonly ok: false }>): Error {
  const named = namedIn(raw);
  if (named !== undefined && isFailureName(named.code)) {
    const { params = {} } = named;
    return new AdapterError(named.code, { params, cause, ...(fault.retry && { retry: fault.retry }) });
  }
  if (fault.kind === "unsupported") return adapter.not_implemented({}, { cause });
  if (fault.kind === "invalid_input" && fault.issues !== undefined) return refusalOf(fault.issues, cause);
  return new FaultError(fault, { cause });
}

function namedIn(raw: string | undefined): z.infer<typeof failure> | undefined {
  try {
    return failure.safeParse(JSON.parse(raw ?? "null")).data;
  } catch {
    return undefined;
  }
}

import type { Limiter } from "@recourse/reference-shared";
import type { Identify } from "../access/identify.ts";
import { accessError, type Caller } from "../access/permit.ts";
import type { Dependencies, Operation } from "./operation.ts";

/** What MCP, REST and the resolver share. */
export interface Service extends Dependencies {
  readonly identify: Identify;
  readonly limiter: Limiter;
}

/** Identifies the caller of an operation. Callers of open operations are not identified. */
export async function callerOf({ access }: Operation, headers: Headers, { identify }: Service): Promise<Caller> {
  return access === "open" ? { kind: "anonymous", address: "unknown" } : identify(headers);
}

/** Runs an operation for a caller who may run it. MCP and REST share this function. */
export async function perform(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  caller: Caller,
  service: Service,
): Promise<Readonly<Record<string, unknown>>> {
  const refusal = accessError(operation.access, caller, service.limiter);
  if (refusal !== undefined) throw refusal;
  return operation.run(input, service, caller.kind === "authenticated" ? caller.subject : undefined);
}

import type { Limiter } from "@recourse/reference-ground";
import type { Caller } from "../access/caller.ts";
import type { Identify } from "../access/identify.ts";
import { refusalFor } from "../access/permit.ts";
import type { Operation, Parts } from "./operation.ts";

/** Everything that a way into this server needs. */
export interface Service extends Parts {
  readonly identify: Identify;
  readonly limiter: Limiter;
}

/** Who calls an operation; whoever calls an open one is not looked at. */
export async function callerOf({ access }: Operation, headers: Headers, { identify }: Service): Promise<Caller> {
  return access === "open" ? { is: "anybody", address: "unknown" } : identify(headers);
}

/** Does what a caller asks for, if they may: the one way that MCP and REST share. */
export async function perform(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  caller: Caller,
  service: Service,
): Promise<Readonly<Record<string, unknown>>> {
  const refusal = refusalFor(operation.access, caller, service.limiter);
  if (refusal !== undefined) throw refusal;
  return operation.run(input, service, caller.is === "known" ? caller.subject : undefined);
}

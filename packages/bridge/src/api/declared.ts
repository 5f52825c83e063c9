import {
  type AnyReason,
  adapter,
  auth,
  content,
  core,
  defineReason,
  idempotency,
  protocol,
  rest,
  transport,
} from "@recourse/faults";
import { http } from "@recourse/faults/dialects";
import type { Errors } from "../answer/errors.ts";
import type { Operation } from "../operations/operation.ts";

const LIBRARY: ReadonlyMap<string, AnyReason> = new Map(
  [adapter, auth, content, core, defineReason, idempotency, protocol, rest, transport]
    .flatMap((module) => Object.values(module) as readonly AnyReason[])
    .map((reason) => [reason.id, reason]),
);

/** Reasons made of the sentences that a document has for its failures. */
export function documentErrors({ responses }: Operation, api: string | undefined): Errors {
  const domain = /^[a-z][a-z0-9_]{0,39}$/.exec((api ?? "").toLowerCase().replaceAll(/[^a-z0-9]+/g, "_"))?.[0] ?? "api";
  const reasons = responses.flatMap(({ status, error }) => {
    if (error === undefined) return [];
    const { kind, name, text, retryable } = error;
    const details = retryable === undefined ? {} : { retry: { allowed: retryable } };
    return [[status, defineReason(`${domain}/${name}`, { kind, text, slots: {}, details })] as const];
  });
  return Object.fromEntries(reasons) as Errors;
}

/** The reasons that an operation may fail with, by what its document and its author say about statuses. */
export function declaredReasons(
  operation: Operation,
  errors: Errors,
  credential: "own" | "caller",
): readonly AnyReason[] {
  const statuses = operation.responses.map(({ status }) => Number(status)).filter((status) => status >= 400);
  const found = statuses.flatMap((status): AnyReason | readonly never[] => {
    const fault = http.decode({ status, headers: {} }, { credential, httpMethod: operation.method });
    return errors[status] ?? LIBRARY.get(fault?.reason ?? "") ?? [];
  });
  const own = Object.values(errors).filter((reason) => reason !== undefined);
  return [...new Map([...found, ...own].map((reason) => [reason.id, reason])).values()];
}

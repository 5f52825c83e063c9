import { adapter, core, type Details, FaultError, toFault } from "@recourse/faults";
import { AdapterError } from "./adapter-error.ts";
import type { DeclaredReasons } from "./reasons.ts";
import type { AnyTool } from "./spec.ts";

/** What follows from how a tool is annotated: one that only reads changed nothing, whatever became of it. */
export function vouchedFor({ annotations }: Pick<AnyTool, "annotations">): Pick<Details, "effect" | "repeatable"> {
  const { readOnlyHint, idempotentHint } = annotations ?? {};
  if (readOnlyHint === true) return { effect: "none", repeatable: true };
  return idempotentHint === true ? { repeatable: true } : {};
}

/**
 * What a tool threw, as a fault: a declared identifier becomes its own reason, a fault stays what it is, and everything
 * else is the backend's failure, in constant words. What was thrown is the cause, which only the operator sees.
 */
export function translate(thrown: unknown, reasons: DeclaredReasons, tool: Pick<AnyTool, "annotations">): FaultError {
  if (FaultError.is(thrown)) return thrown;
  const vouched = vouchedFor(tool);
  return declared(thrown, reasons, vouched) ?? foreign(thrown, vouched);
}

function declared(thrown: unknown, reasons: DeclaredReasons, vouched: Details): FaultError | undefined {
  if (!AdapterError.is(thrown)) return undefined;
  const { identifier, retry, issues } = thrown;
  const reason = reasons.get(identifier);
  if (reason === undefined) return undefined;
  const params = { ...thrown.params, originalError: identifier } as never;
  const usual = reason.fault(params).effect;
  // A failure that is declared to have been applied was, whatever the annotations of the tool say.
  const effect = thrown.effect ?? (usual === "applied" ? usual : (vouched.effect ?? usual));
  return reason(params, { ...vouched, effect, ...(retry && { retry }), ...(issues && { issues }), cause: thrown });
}

/** Failures of a backend that somebody acts on in another way than on a plain one. */
const KNOWN = {
  unavailable: adapter.unavailable,
  overloaded: core.busy,
  timeout: core.timeout,
} as const;

/** What befell the backend is told by the class and code of the error, never by its words. */
function foreign(thrown: unknown, vouched: Details): FaultError {
  const { kind, effect } = toFault(AdapterError.is(thrown) ? undefined : thrown);
  const reason = Object.entries(KNOWN).find(([known]) => known === kind)?.[1];
  if (reason === undefined) return adapter.failed({}, { ...vouched, cause: thrown });
  return reason({}, { effect, ...vouched, cause: thrown });
}

import { adapter, core, type FaultDetails, FaultError, toFault } from "@recourse/faults";
import { adapterErrorFault, causeOf, isEffectAssumed } from "@recourse/faults/internal-do-not-use";
import { AdapterError } from "./adapter-error.ts";
import type { DeclaredReasons } from "./failures.ts";
import type { AnyTool } from "./spec.ts";

/** What the annotations of a tool say about every failure: a tool that only reads changed nothing. */
export function effectByAnnotations({
  annotations,
}: Pick<AnyTool, "annotations">): Pick<FaultDetails, "effect" | "repeatable"> {
  const { readOnlyHint, idempotentHint } = annotations ?? {};
  if (readOnlyHint === true) return { effect: "none", repeatable: true };
  return idempotentHint === true ? { repeatable: true } : {};
}

/**
 * The fault for what a handler threw. A declared identifier becomes its own reason, a fault stays unchanged, any other
 * identifier is named in a failure of the backend, and everything else is such a failure with a constant text. The thrown
 * value is the cause, which goes only to the operator.
 */
export function translate(thrown: unknown, reasons: DeclaredReasons, tool: Pick<AnyTool, "annotations">): FaultError {
  if (FaultError.is(thrown)) return thrown;
  const known = effectByAnnotations(tool);
  return declaredFault(thrown, reasons, known) ?? undeclaredFault(thrown, known) ?? backendFault(thrown, known);
}

function declaredFault(thrown: unknown, reasons: DeclaredReasons, known: FaultDetails): FaultError | undefined {
  if (!AdapterError.is(thrown)) return undefined;
  const { identifier, retry, issues } = thrown;
  const reason = reasons.get(identifier);
  if (reason === undefined) return undefined;
  const params = { ...thrown.params, originalError: identifier } as never;
  const usual = reason.fault(params);
  // An effect that the author declares stands, whatever the annotations of the tool say.
  const declared = isEffectAssumed(usual) ? known.effect : usual.effect;
  const effect = thrown.effect ?? declared;
  // The fault already names the identifier; the operator needs only the error behind it.
  return reason(params, {
    ...known,
    ...(effect && { effect }),
    ...(retry && { retry }),
    ...(issues && { issues }),
    cause: thrown.cause,
  });
}

function undeclaredFault(thrown: unknown, known: FaultDetails): FaultError | undefined {
  const fault = adapterErrorFault(thrown, known);
  return fault && new FaultError(fault, { cause: thrown });
}

/** Kinds of backend failure that a caller handles differently from a plain failure. */
const REASON_BY_KIND = {
  unavailable: adapter.unavailable,
  overloaded: core.busy,
  timeout: core.timeout,
} as const;

/** Class and code of the thrown error decide, never its text. */
function backendFault(thrown: unknown, known: FaultDetails): FaultError {
  const { kind, effect } = toFault(thrown);
  const reason = Object.entries(REASON_BY_KIND).find(([of]) => of === kind)?.[1];
  const cause = causeOf(thrown);
  if (reason === undefined) return adapter.failed({}, { ...known, cause });
  return reason({}, { effect, ...known, cause });
}

import { AdapterError } from "@recourse/bridge";
import { adapter, core, FaultError, toFault } from "@recourse/faults";
import { isDriversOwn } from "@recourse/reference-ground";

/** What is known about a failed statement. */
export interface Known {
  readonly effect: "none" | "possible";
  /** How long a statement may take. */
  readonly answerMs: number;
}

/** What a failure of the database means to callers. What was thrown on purpose stays what it is. */
export function failureOf(thrown: unknown, { effect, answerMs }: Known): unknown {
  if (AdapterError.is(thrown) || FaultError.is(thrown)) return thrown;
  if (isDriversOwn(thrown)) return adapter.unavailable({}, { effect, cause: thrown });
  const { kind, retry } = toFault(thrown);
  switch (kind) {
    case "unavailable":
    case "overloaded":
      return adapter.unavailable({}, { effect, cause: thrown, ...(retry && { retry }) });
    case "timeout":
      return core.timeout({ timeoutMs: answerMs }, { effect, cause: thrown });
    default:
      return adapter.failed({}, { effect, cause: thrown });
  }
}

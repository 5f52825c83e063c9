import { amendFault, repeatableFault } from "../../fault/amend.ts";
import { isEffectAssumed } from "../../fault/assumed-effect.ts";
import type { SdkTool } from "../../sdk/server.ts";
import type { Failure } from "../reporter.ts";

/** Whether the author says that a tool changes nothing. */
export function isReadOnlyTool(tool: Pick<SdkTool, "annotations"> | undefined): boolean {
  return tool?.annotations?.readOnlyHint === true;
}

/** What its author says of a tool counts, however it failed: one that only reads changed nothing, others may be repeated. */
export function withToolHint(failure: Failure, tool: Pick<SdkTool, "annotations"> | undefined): Failure {
  if (isReadOnlyTool(tool)) return withoutEffect(failure);
  const isRepeatable = tool?.annotations?.idempotentHint === true && failure.fault.effect === "possible";
  return isRepeatable ? { ...failure, fault: repeatableFault(failure.fault) } : failure;
}

/** The same for what the handler of a tool threw: an effect that its author stated stands. */
export function withToolHintIfThrown(failure: Failure, tool: Pick<SdkTool, "annotations"> | undefined): Failure {
  return statesEffect(failure) ? failure : withToolHint(failure, tool);
}

/** Methods that only read, by what the protocol says about them. */
const READING_METHODS: readonly string[] = [
  "completion/complete",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "tools/list",
];

/** A method that only reads changed nothing, whatever its handler threw, unless the author states an effect. */
export function withMethodHint(failure: Failure, method: string): Failure {
  return READING_METHODS.includes(method) && !statesEffect(failure) ? withoutEffect(failure) : failure;
}

/** Whether somebody who knows the call stated its effect. A kind and a reply of a service only imply one. */
function statesEffect({ fault }: Failure): boolean {
  return fault.basis === "stated" && !isEffectAssumed(fault);
}

function withoutEffect(failure: Failure): Failure {
  const { fault } = failure;
  return fault.effect === "possible" ? { ...failure, fault: amendFault(fault, { effect: "none" }) } : failure;
}

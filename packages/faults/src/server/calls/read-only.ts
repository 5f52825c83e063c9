import { amendFault } from "../../fault/amend.ts";
import type { SdkTool } from "../../sdk/server.ts";
import type { Failure } from "../reporter.ts";

/** Whether the author says that a tool changes nothing. */
export function isReadOnlyTool(tool: SdkTool | undefined): boolean {
  return tool?.annotations?.readOnlyHint === true;
}

/** A tool that only reads changed nothing, however it failed: its author said so. */
export function withToolHint(failure: Failure, tool: SdkTool | undefined): Failure {
  return isReadOnlyTool(tool) ? withoutEffect(failure) : failure;
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

/** A method that only reads changed nothing, whatever its handler threw. */
export function withMethodHint(failure: Failure, method: string): Failure {
  return READING_METHODS.includes(method) ? withoutEffect(failure) : failure;
}

function withoutEffect(failure: Failure): Failure {
  const { fault } = failure;
  return fault.effect === "possible" ? { ...failure, fault: amendFault(fault, { effect: "none" }) } : failure;
}

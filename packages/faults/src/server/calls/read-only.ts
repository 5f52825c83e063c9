import { amendFault } from "../../fault/amend.ts";
import type { SdkTool } from "../../sdk/server.ts";
import type { Failure } from "../reporter.ts";

/** Whether the author says that a tool changes nothing. */
export function isReadOnlyTool(tool: SdkTool | undefined): boolean {
  return tool?.annotations?.readOnlyHint === true;
}

/** A tool that only reads changed nothing, however it failed: its author said so. */
export function withToolHint(failure: Failure, tool: SdkTool | undefined): Failure {
  const { fault } = failure;
  if (!isReadOnlyTool(tool) || fault.effect !== "possible") return failure;
  return { ...failure, fault: amendFault(fault, { effect: "none" }) };
}

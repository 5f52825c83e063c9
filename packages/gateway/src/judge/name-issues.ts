import { type Fault, knownKind, tool } from "@recourse/faults";
import { amendFault, glanceAtArguments, type JsonObject } from "@recourse/faults/internal-do-not-use";

/** A call of a tool whose upstream refused the arguments. */
export interface RefusedCall {
  /** The name that the caller uses. */
  readonly name: string | undefined;
  /** The schema that the caller was listed. */
  readonly inputSchema: unknown;
  readonly params: JsonObject | undefined;
}

/**
 * Says which arguments are wrong where an upstream only says that some are, or that its tool failed: the schema is known
 * here. The upstream's own text is then not needed, and may repeat what was sent. Other faults stay as they are.
 */
export function nameIssues(fault: Fault, { name, inputSchema, params }: RefusedCall): Fault {
  const isSentence = fault.reason === tool.failed.id;
  if ((knownKind(fault) !== "invalid_input" && !isSentence) || fault.issues !== undefined) return fault;
  if (typeof inputSchema !== "object" || inputSchema === null) return fault;
  const issues = glanceAtArguments(params?.["arguments"] ?? {}, inputSchema as JsonObject);
  if (issues.length === 0) return fault;
  const { effect, basis } = fault;
  const refused = tool.invalid_arguments.fault(name === undefined ? {} : { tool: name }, { issues, effect });
  return amendFault(refused, { basis });
}

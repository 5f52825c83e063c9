import type { Fault } from "../../fault/fault.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import { recogniseSdk } from "../../reasons/unknown/sdk.ts";
import { issuesFor, pathsOf } from "../arguments/issues.ts";
import { foreignFault } from "../incidents/foreign.ts";
import type { GuardOptions } from "../options.ts";
import type { PeerTool } from "../peer.ts";
import type { Schemas } from "./schemas.ts";

/** What goes from the input check to the handler's place: the arguments, or why they are refused. */
export class Input {
  readonly tool: string;
  /** The arguments as they were sent. */
  readonly sent: unknown;
  /** The arguments as the schema gives them to the handler. */
  readonly args: unknown;
  readonly refused: { readonly fault: Fault; readonly cause: unknown } | undefined;

  constructor(of: Pick<Input, "tool" | "sent"> & Partial<Pick<Input, "args" | "refused">>) {
    this.tool = of.tool;
    this.sent = of.sent;
    this.args = of.args;
    this.refused = of.refused;
  }
}

/** The SDK's own refusal is about the arguments; anything else was thrown by the schema itself. */
export async function refusalFor(
  {
    tool,
    name,
    sent,
    cause,
  }: { readonly tool: PeerTool; readonly name: string; readonly sent: unknown; readonly cause: unknown },
  schemas: Schemas,
  options: GuardOptions,
): Promise<Fault> {
  if (recogniseSdk(cause) === undefined) return foreignFault(cause, options);
  const args = sent ?? {};
  const issues = issuesFor(args, await schemas.inputOf(name), await pathsFrom(tool.inputSchema, args));
  return invalid_arguments.fault({ tool: name }, issues.length > 0 ? { issues } : {});
}

/** Where a Standard Schema says the arguments fail; nothing for other schemas, whose JSON Schema is checked instead. */
async function pathsFrom(schema: unknown, args: unknown): Promise<readonly (readonly (string | number)[])[]> {
  try {
    const standard = (schema as { readonly "~standard"?: { validate?(value: unknown): unknown } } | undefined)?.[
      "~standard"
    ];
    const outcome = (await standard?.validate?.(args)) as { readonly issues?: unknown } | undefined;
    return pathsOf(outcome?.issues);
  } catch {
    return [];
  }
}

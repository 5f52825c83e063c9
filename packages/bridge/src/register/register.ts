import { type Fault, FaultError, type SecretFilter } from "@recourse/faults";
import { platica } from "@recourse/faults/dialects";
import { type GuardOptions, guard, guardCounts } from "@recourse/faults/server";
import type { CallResult } from "../answer/result.ts";
import type { Outcome } from "../api/call.ts";
import type { CallOptions } from "../api/options.ts";
import type { CallableTool } from "../api/tools.ts";
import type { JsonSchema } from "../document/schema/walk.ts";
import { optionsFrom } from "./context.ts";
import { type PeerSchema, peerSchema } from "./schema.ts";

/** What is needed of a server of the official SDK, version 1 or 2. */
interface PeerServer {
  registerTool(name: string, config: object, handler: (args: unknown, context: unknown) => unknown): unknown;
}

/** What registering has to be told. */
export interface Registering {
  readonly tools: readonly CallableTool[];
  readonly call: (tool: CallableTool, args: unknown, options: CallOptions) => Promise<Outcome>;
  /** For a server that is not guarded yet. */
  readonly guard: GuardOptions;
  readonly secrets: SecretFilter;
  /** Hears of failures that go out as the service wrote them. */
  readonly relayed: (tool: string, fault: Fault, cause: unknown) => void;
}

/** Registers tools on a server, and guards it if nobody has. */
export function registerTools(server: object, registering: Registering): void {
  if (!("registerTool" in server)) throw new TypeError("tools are registered on an McpServer of SDK 1 or 2");
  if (guardCounts(server) === undefined) guard(server, registering.guard);
  for (const tool of registering.tools) {
    const { name, description, annotations, inputSchema, declares } = tool;
    const config = { description, annotations, inputSchema: schemaOf(inputSchema), _meta: declares };
    (server as PeerServer).registerTool(name, config, async (args, context) =>
      resultFor(name, await registering.call(tool, args, optionsFrom(context)), registering),
    );
  }
}

const schemas = new WeakMap<JsonSchema, PeerSchema>();

/** Over HTTP there may be a server for each request, so what can be made once is. */
function schemaOf(schema: JsonSchema): PeerSchema {
  const made = schemas.get(schema) ?? peerSchema(schema);
  schemas.set(schema, made);
  return made;
}

/** The result of a call; a fault is thrown, so that the guard stamps it, reports it and writes it. */
function resultFor(tool: string, outcome: Outcome, { secrets, relayed }: Registering): CallResult {
  if (outcome.ok) return outcome.result;
  const { fault, cause, raw } = outcome;
  const wire = raw === undefined ? undefined : platica.encode(fault, { raw, secrets, tool });
  if (wire === undefined || !("result" in wire)) throw new FaultError(fault, { cause });
  relayed(tool, fault, cause);
  return wire.result;
}

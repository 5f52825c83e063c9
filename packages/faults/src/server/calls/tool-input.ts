import { invalid_arguments } from "../../reasons/library/tool.ts";
import { matchSdkError } from "../../reasons/thrown/sdk.ts";
import { issuesFor } from "../../schema/issues.ts";
import type { JsonSchema } from "../../schema/scope.ts";
import { validatorPaths } from "../../schema/validator-paths.ts";
import { validatorRules } from "../../schema/validator-rules.ts";
import type { SdkServer, SdkTool } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import type { Failure } from "../reporter.ts";
import { failureOf } from "../requests/map-sdk-error.ts";

/** What passes from the SDK's input check to the handler: the arguments, or why they are refused. */
export class ToolInput {
  readonly tool: string;
  /** The arguments as they were sent. */
  readonly sent: unknown;
  /** The arguments as the schema passes them to the handler. */
  readonly args: unknown;
  readonly refused: Failure | undefined;
  /** When the call arrived, in ms since 1970. */
  readonly startedMs: number;

  constructor(of: Pick<ToolInput, "tool" | "sent" | "startedMs"> & Partial<Pick<ToolInput, "args" | "refused">>) {
    this.tool = of.tool;
    this.sent = of.sent;
    this.args = of.args;
    this.refused = of.refused;
    this.startedMs = of.startedMs;
  }
}

/** A call whose input the SDK refused. */
interface RefusedInput {
  readonly tool: SdkTool;
  readonly name: string;
  readonly sent: unknown;
  /** What the input check threw. */
  readonly cause: unknown;
}

/** Why an input is refused. The SDK's own refusal is about the arguments; anything else was thrown by the schema itself. */
export async function inputFailureOf(
  { tool, name, sent, cause }: RefusedInput,
  server: SdkServer,
  options: GuardOptions,
): Promise<Failure> {
  if (matchSdkError(cause) === undefined) return failureOf(cause, options, sent);
  const args = sent ?? {};
  const reported = await validatorIssues(tool.inputSchema, args);
  const schema = await publishedSchema(server, name);
  const issues = issuesFor(args, schema, validatorPaths(reported), validatorRules(reported));
  return { fault: invalid_arguments.fault({ tool: name }, issues.length > 0 ? { issues } : {}), cause };
}

/** Published schemas by the schema that a tool was registered with; over HTTP a server may live for one request only. */
const published = new WeakMap<object, JsonSchema>();

/** The input schema of a tool as the server lists it, since only the SDK knows how it is made. */
async function publishedSchema(server: SdkServer, tool: string): Promise<JsonSchema | undefined> {
  const registered = server._registeredTools[tool]?.inputSchema;
  const isObjectSchema = typeof registered === "object" && registered !== null;
  const known = isObjectSchema ? published.get(registered) : undefined;
  if (known !== undefined) return known;
  try {
    const listed = (await listOnly(server, tool)) as
      | { readonly tools?: readonly Readonly<Record<string, unknown>>[] }
      | undefined;
    const schema = listed?.tools?.find((one) => one["name"] === tool)?.["inputSchema"] as JsonSchema | undefined;
    if (isObjectSchema && typeof schema === "object") published.set(registered, schema);
    return schema;
  } catch {
    return undefined;
  }
}

/**
 * Lists one tool. The SDK's handler reads its registry at once and converts the schema of every tool in it, which takes long
 * on a server with hundreds of tools; so for that moment the registry holds this one alone.
 */
function listOnly(server: SdkServer, tool: string): unknown {
  const list = server.server._requestHandlers.get("tools/list");
  const own = Object.getOwnPropertyDescriptor(server, "_registeredTools");
  const only = server._registeredTools[tool];
  if (own?.configurable !== true || only === undefined) return list?.({ method: "tools/list" }, {});
  Object.defineProperty(server, "_registeredTools", { ...own, value: { [tool]: only } });
  try {
    return list?.({ method: "tools/list" }, {});
  } finally {
    Object.defineProperty(server, "_registeredTools", own);
  }
}

/** What a Standard Schema says of the arguments; nothing for other schemas, which are checked as JSON Schema. */
async function validatorIssues(schema: unknown, args: unknown): Promise<unknown> {
  try {
    const standard = (schema as { readonly "~standard"?: { validate?(value: unknown): unknown } } | undefined)?.[
      "~standard"
    ];
    const outcome = (await standard?.validate?.(args)) as { readonly issues?: unknown } | undefined;
    return outcome?.issues;
  } catch {
    return undefined;
  }
}

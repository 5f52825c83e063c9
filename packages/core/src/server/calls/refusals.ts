// Why arguments are refused, and what handlers of an author say when they refuse, and the SDK around them.

import { stripCodePrefix } from "../../dialects/rpc.ts";
import { peek, peekInteger, peekString } from "../../errors/peek.ts";
import { FaultError } from "../../fault/error.ts";
import { request_state_invalid } from "../../reasons/library/protocol.ts";
import { invalid_arguments, output_invalid } from "../../reasons/library/tool.ts";
import { sdkReason } from "../../reasons/thrown/sdk-errors.ts";
import { issuesFor } from "../../schema/issues.ts";
import { askValidator } from "../../schema/messages.ts";
import type { JsonSchema } from "../../schema/scope.ts";
import type { SdkServer, SdkTool } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import type { PendingFailure } from "../replies/reply.ts";
import { refusedCall, thrownFailure } from "../requests/map-sdk-error.ts";

interface RefusedInput {
  readonly tool: SdkTool;
  readonly name: string;
  readonly sent: unknown;
  readonly cause: unknown;
}

/** Why an input is refused. The SDK's own refusal is about the arguments; anything else was thrown by the schema itself. */
export async function refusedInputFailure(
  { tool, name, sent, cause }: RefusedInput,
  server: SdkServer,
  options: GuardOptions,
): Promise<PendingFailure> {
  if (sdkReason(cause) === undefined) return thrownFailure(cause, options, sent);
  const args = sent ?? {};
  const { paths, ...reported } = await askValidator(tool.inputSchema, args);
  const schema = await publishedSchema(server, name);
  const issues = issuesFor(args, schema, paths, reported);
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

const REFUSED_NAME =
  /\b(?:unknown|unrecogni[sz]ed|unsupported|invalid|no such|not (?:found|exist|supported|implemented|recogni[sz]ed|available|registered|defined)|doesn['’]t exist)\b/i;
const REFUSED_THING =
  /\b(?:unknown|unrecogni[sz]ed|unsupported|invalid|no such) (?:tool|prompt|resource|function|command|method|operation|uri)\b/i;

/** What the SDK throws when it checks the result of an own handler. */
const SDK_RESULT = /^Invalid (?:tools\/call|task creation) result: /;

/** Whether the words of a refusal are about the name that was asked for. */
export function refusesName(refusal: unknown, name: string): boolean {
  // The code of a method that does not exist.
  if (peekInteger(refusal, "code") === -32601) return true;
  const { text } = stripCodePrefix(typeof refusal === "string" ? refusal : (peekString(refusal, "message") ?? ""));
  return REFUSED_THING.test(text) || (text.includes(name) && REFUSED_NAME.test(text));
}

/** What a handler of an author threw. What the SDK threw around it gets its meaning here, where it cannot be the author's. */
export function meaningOfOwn(thrown: unknown): unknown {
  const refused = refusedCall(thrown);
  if (refused !== undefined) return new FaultError(refused, { cause: thrown });
  if (peekInteger(thrown, "code") !== -32602) return thrown;
  if (peek(peek(thrown, "data"), "reason") === "invalid_request_state") {
    return new FaultError(request_state_invalid.fault(), { cause: thrown });
  }
  const { text } = stripCodePrefix(peekString(thrown, "message") ?? "");
  return SDK_RESULT.test(text) ? new FaultError(output_invalid.fault(), { cause: thrown }) : thrown;
}

// What defects answer and change.
import { type JsonObject, memberAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Incoming, Reply } from "../defect.ts";

/** An error in answer to a request. */
export function errorReply(
  { id }: Pick<Incoming, "id">,
  code: unknown,
  message: unknown,
  more: { readonly status?: number; readonly data?: unknown } = {},
): Reply {
  const { status, data } = more;
  const error = { code, message, ...(data !== undefined && { data }) };
  // MCP has no null ids: an error about something without an id has none either.
  const answer = { jsonrpc: "2.0", ...(id !== undefined && { id }), error };
  return { messages: [answer], ...(status !== undefined && { status }) };
}

/** A result in answer to a request. */
export function resultReply({ id }: Pick<Incoming, "id">, result: JsonObject): Reply {
  return { messages: [{ jsonrpc: "2.0", id, result }] };
}

/** The message with another error. */
export function withError(message: JsonObject, change: JsonObject): JsonObject {
  const error = objectAt(message, "error");
  return error === undefined ? message : { ...message, error: { ...error, ...change } };
}

/** The message with another result. */
export function withResult(message: JsonObject, change: (result: JsonObject) => JsonObject): JsonObject {
  const result = objectAt(message, "result");
  return result === undefined ? message : { ...message, result: change(result) };
}

/** The tool that a request calls, or the prompt that it asks for. */
export function nameIn(incoming: Incoming | undefined): string {
  return stringAt(incoming?.params, "name") ?? "";
}

/** The arguments of a request. */
export function argumentsIn(incoming: Incoming | undefined): JsonObject {
  return objectAt(incoming?.params, "arguments") ?? {};
}

/** Whether a request calls a tool, with whatever arguments. */
export function isCallOf(incoming: Incoming | undefined, tool: string): boolean {
  return incoming?.method === "tools/call" && memberAt(incoming.params, "name") === tool;
}
